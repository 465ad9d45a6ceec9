import type { Cause } from '../../notices/notices.ts'
import type { WriteCaller } from './write-types.ts'

/** What is said of the changes that a script makes. */
export const causeOf = ({ stamp, depth }: WriteCaller): Cause => ({ stamp, depth })
