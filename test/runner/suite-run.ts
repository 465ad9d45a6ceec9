import { availableParallelism } from 'node:os'
import { startTemplate, TEMPLATE_URL } from '../support/database/database.ts'
import { COMPILE_CACHE } from '../support/processes/compile-cache.ts'
import { PROGRAMS_FOLDER } from '../support/processes/programs.ts'
import { bundlePrograms } from './bundle.ts'
import { type FileResult, type LaneOptions, runFiles } from './lanes.ts'
import type { TestFile } from './suites.ts'

/** Runs files in their order on the database server of the run; `lanes`: how many at a time. */
export type RunFiles = (
  files: readonly TestFile[],
  options?: Partial<Pick<LaneOptions, 'lanes' | 'onResult'>>,
) => Promise<FileResult[]>

/** One more than cores: half of the time a file waits, for the database or for a state. */
const LANES = Math.min(availableParallelism(), 4) + 1

/** Gives `work` a database server that all files it runs get their clones from, and stops it at the end. `variables`: of the files' environment. */
export async function withTestRun<T>(
  work: (run: RunFiles) => Promise<T>,
  variables: NodeJS.ProcessEnv = {},
): Promise<T> {
  const server = await startTemplate()
  const environment = {
    ...process.env,
    ...variables,
    [TEMPLATE_URL]: server.url,
    [PROGRAMS_FOLDER]: await bundlePrograms(),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILE_CACHE,
  }
  try {
    return await work((files, options) => runFiles(files, { lanes: LANES, environment, ...options }))
  } finally {
    await server.stop()
  }
}
