import type { Context } from '../context.ts'
import { cleanExports } from '../features/actions/reports/export-files.ts'
import { cleanUploads } from '../features/imports/upload/upload-cleanup.ts'
import { runEvery } from '../lib/time/run-every.ts'

/** How often each process looks at what is in its data directory. */
export const SWEEP_MS = 3_600_000

/**
 * Removes uploads and exports that are void. Each machine does it for its own data directory: no other one can.
 */
export async function sweepFiles(context: Context): Promise<void> {
  await cleanUploads(context)
  await cleanExports(context)
}

/** The same again and again, of a process that runs no periodic tasks; gives what stops it. */
export function keepSwept(context: Context): () => Promise<void> {
  return runEvery(SWEEP_MS, () =>
    sweepFiles(context).catch((error) => context.log.warn({ err: error }, 'could not sweep the files of this machine')),
  )
}
