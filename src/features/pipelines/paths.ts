import { readUuid } from '../../lib/ids.ts'
import { pathKey } from '../../scripting/path-keys.ts'

export const COMPILABLES = '/scripting/compilables'

/** The compilable that a path names. Throws notFound for what is no id. */
export const compilableKey = pathKey('compilable', readUuid)
