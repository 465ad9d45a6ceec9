import type { ServiceContext } from '../context.ts'
import { purgeActionExports } from '../features/actions/reports/export-files.ts'
import { purgeStaleUploads } from '../features/imports/upload/upload-cleanup.ts'
import { runEvery } from '../lib/time/run-every.ts'

/** The interval at which each process checks the files in its data directory. */
export const FILE_PURGE_INTERVAL_MS = 3_600_000

/**
 * Removes uploads and exports that are void. Each machine does it for its own data directory: no other one can.
 */
export async function purgeLocalFiles(context: ServiceContext): Promise<void> {
  await purgeStaleUploads(context)
  await purgeActionExports(context)
}

/** The same again and again, of a process that runs no periodic tasks; gives what stops it. */
export function startLocalFilePurge(context: ServiceContext): () => Promise<void> {
  return runEvery(FILE_PURGE_INTERVAL_MS, () =>
    purgeLocalFiles(context).catch((error) => context.log.warn({ err: error }, 'cleanup of local files failed')),
  )
}
