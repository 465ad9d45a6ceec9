import { availableParallelism } from 'node:os'
import { COMPILE_CACHE } from '../support/compile-cache.ts'
import { startTemplate, TEMPLATE_URL } from '../support/database.ts'
import { type FileResult, runFiles } from './lanes.ts'
import type { TestFile } from './suites.ts'

/** A database server for the files of one run. */
export interface TestRun {
  /** Runs files in their order, so many at a time. */
  run(files: readonly TestFile[], options?: RunOptions): Promise<FileResult[]>
  end(): Promise<void>
}

export interface RunOptions {
  lanes?: number
  /** Called as soon as a file has ended. */
  onResult?(result: FileResult): void
}

/** One more than cores: half of the time a file waits, for the database or for a state. */
const LANES = Math.min(availableParallelism(), 4) + 1

/** Starts the database server that all files of the run get their clones from. */
export async function startTestRun(): Promise<TestRun> {
  const server = await startTemplate()
  const environment = {
    ...process.env,
    [TEMPLATE_URL]: server.url,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? COMPILE_CACHE,
  }
  return {
    async run(files, { lanes = LANES, onResult } = {}) {
      const results: FileResult[] = []
      await runFiles(files, {
        lanes,
        environment,
        onResult(result) {
          results.push(result)
          onResult?.(result)
        },
      })
      return results
    },
    end: () => server.stop(),
  }
}
