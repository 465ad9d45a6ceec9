import { basename, join } from 'node:path'
import { DEFAULT_MEMORY_ENVIRONMENT, DEFAULT_MEMORY_OPTIONS } from '../../../src/service/memory.ts'
import { COMPILE_CACHE } from './compile-cache.ts'

/** The folder of the programs that a run has bundled, when there is one: they start in half the time. */
export const PROGRAMS_FOLDER = 'STENTOR_TEST_PROGRAMS'

/** The path to start a program by: `src/main.ts`, or a file of `test/fakes`. */
export function programPath(file: string): string {
  const folder = process.env[PROGRAMS_FOLDER]
  return folder ? join(folder, `${basename(file, '.ts')}.js`) : join(import.meta.dirname, '../../..', file)
}

/** The start of the service as the run has bundled it, with the memory options that it would restart itself with: it is loaded once. */
export const bundledServiceCommand = (): string[] => [
  process.execPath,
  ...DEFAULT_MEMORY_OPTIONS,
  programPath('src/main.ts'),
]

/** Environment of each service that a test starts. */
export const SERVICE_ENVIRONMENT = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...DEFAULT_MEMORY_ENVIRONMENT } as const
