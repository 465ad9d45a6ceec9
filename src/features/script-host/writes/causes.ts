import type { NoticeCause } from '../../notices/notices.ts'
import type { ScriptWriteCaller } from './write-types.ts'

/** Cause that is recorded for the changes that a script makes. */
export const createWriteCause = ({ stamp, depth }: ScriptWriteCaller): NoticeCause => ({ stamp, depth })
