import { chmodSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { passableFolderMode } from '../database/embedded/account.ts'

/** Bits by which a group or anybody else reads, writes or enters. */
const OTHERS = 0o077
/** Entries that a start looks at: what is deeper is in folders that are closed by then. */
const MOST_ENTRIES = 10_000

/** Removes the permissions of others from a folder or file; leaves a link alone. Returns whether it is a folder. */
function close(path: string, mode: number): boolean {
  const stats = lstatSync(path)
  const isFolder = stats.isDirectory()
  const closedMode = stats.mode & (isFolder ? mode : ~OTHERS) & 0o7777
  if ((isFolder || stats.isFile()) && (stats.mode & 0o7777) !== closedMode) chmodSync(path, closedMode)
  return isFolder
}

/**
 * Closes the data directory to other accounts of the machine, as far as earlier versions or copies left it open: folders before what is in them,
 * links left alone, and PostgreSQL's own files, which it keeps closed itself. Those that belong to other accounts are logged.
 */
export function secureDataDirectory({ dataDir, log }: { dataDir: string; log: Pick<Logger, 'warn'> }): void {
  const root = realpathSync(dataDir)
  const postgres = join(root, 'postgres')
  const isPassed = (path: string) => path === root || path === postgres
  const paths = [root]
  const failed: string[] = []
  for (const path of paths) {
    try {
      if (!close(path, isPassed(path) ? passableFolderMode() : ~OTHERS)) continue
      for (const name of readdirSync(path))
        if (paths.length < MOST_ENTRIES && !(path === postgres && name.startsWith('cluster')))
          paths.push(join(path, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') failed.push(path)
    }
  }
  if (failed.length === 0) return
  log.warn(
    { files: failed.length, first: failed[0] },
    'Files in the data directory belong to another account: other accounts of this machine may read them.',
  )
}
