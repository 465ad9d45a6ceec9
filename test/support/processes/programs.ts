import { basename, join } from 'node:path'
import { DEFAULT_MEMORY_OPTIONS } from '../../../src/service/memory.ts'

/** The folder of the programs that a run has bundled, when there is one: they start in half the time. */
export const PROGRAMS_FOLDER = 'STENTOR_TEST_PROGRAMS'

/**
 * The options that the service restarts itself with, so that it is loaded once; its young generation has their size at once, where loading
 * would have it collected and enlarged repeatedly.
 */
export const MEMORY_OPTIONS = [...DEFAULT_MEMORY_OPTIONS, '--min-semi-space-size=8']

/** The path to start a program by: `src/main.ts`, or a file of `test/fakes`. */
export function programPath(file: string): string {
  const folder = process.env[PROGRAMS_FOLDER]
  return folder ? join(folder, `${basename(file, '.ts')}.js`) : join(import.meta.dirname, '../../..', file)
}
