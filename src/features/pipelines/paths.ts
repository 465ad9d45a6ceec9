import { parseUuid } from '../../lib/ids.ts'
import { createPathKeyReader } from '../../scripting/path-keys.ts'

export const COMPILABLES_PATH = '/scripting/compilables'

/** The compilable that a path names. Throws notFound for what is no id. */
export const readCompilableKey = createPathKeyReader('compilable', parseUuid)
