import { join } from 'node:path'

/** Where the processes of the tests keep what they compile, once for all of them: a file of tests starts in a third less. */
export const COMPILE_CACHE = join(import.meta.dirname, '../../../node_modules/.cache/compile')
