import { basename, join } from 'node:path'

/** The folder of the programs that a run has bundled, when there is one: they start in half the time. */
export const PROGRAMS_FOLDER = 'STENTOR_TEST_PROGRAMS'

/** The path to start a program by: `src/main.ts`, or a file of `test/fakes`. */
export function programPath(file: string): string {
  const folder = process.env[PROGRAMS_FOLDER]
  return folder ? join(folder, `${basename(file, '.ts')}.js`) : join(import.meta.dirname, '../../..', file)
}
