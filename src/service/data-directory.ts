import { chmodSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { passableFolderMode } from '../database/embedded/account.ts'

/** Bits by which a group or anybody else reads, writes or enters. */
const OTHERS_MODE_BITS = 0o077
/** Entries that a start looks at: what is deeper is in folders that are closed by then. */
const MAX_CHECKED_ENTRIES = 10_000

/** Removes the permissions of others from a folder or file; leaves a link alone. Returns whether it is a folder. */
function removeOthersAccess(path: string, mode: number): boolean {
  const pathStats = lstatSync(path)
  const isFolder = pathStats.isDirectory()
  const closedMode = pathStats.mode & (isFolder ? mode : ~OTHERS_MODE_BITS) & 0o7777
  if ((isFolder || pathStats.isFile()) && (pathStats.mode & 0o7777) !== closedMode) chmodSync(path, closedMode)
  return isFolder
}

/**
 * Closes the data directory to other accounts of the machine, as far as earlier versions or copies left it open: folders before what is in them,
 * links left alone, and PostgreSQL's own files, which it keeps closed itself. Those that belong to other accounts are logged.
 */
export function secureDataDirectory({ dataDir, log }: { dataDir: string; log: Pick<Logger, 'warn'> }): void {
  const rootFolder = realpathSync(dataDir)
  const postgresFolder = join(rootFolder, 'postgres')
  const mustStayPassable = (path: string) => path === rootFolder || path === postgresFolder
  const pendingPaths = [rootFolder]
  const failedPaths: string[] = []
  for (const path of pendingPaths) {
    try {
      if (!removeOthersAccess(path, mustStayPassable(path) ? passableFolderMode() : ~OTHERS_MODE_BITS)) continue
      for (const name of readdirSync(path))
        if (pendingPaths.length < MAX_CHECKED_ENTRIES && !(path === postgresFolder && name.startsWith('cluster')))
          pendingPaths.push(join(path, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failedPaths.push(path)
    }
  }
  if (failedPaths.length === 0) return
  log.warn(
    { files: failedPaths.length, first: failedPaths[0] },
    'files in the data directory belong to another system account: other accounts of this machine may be able to read them',
  )
}
