import { constants } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** In a data directory while a restore into it is under way: nothing may be sent from it before it has ended. */
export const RESTORE_MARKER_FILE = 'restoring'

/** Copied before the database, so that an entry written to the database meanwhile is in one of them. Entries have keys and count once. */
export const BACKUP_SPOOL_FOLDERS = ['spool']
/** Files that rows of the database name: copied after it, so that they are there. */
export const BACKUP_FILE_FOLDERS = ['archives', 'imports', 'exports', 'reply-parts']

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Names in a directory, none when it is not there. */
export async function listDirectoryNames(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(ignoreMissing)) ?? []
}

/** Copies folders with all that is in them; what is deleted meanwhile is left out. Gives the number of files. */
export async function copyBackupFolders(from: string, to: string, folders: readonly string[]): Promise<number> {
  let copiedCount = 0
  for (const folder of folders) {
    const relativePaths = (await readdir(join(from, folder), { recursive: true }).catch(ignoreMissing)) ?? []
    for (const name of relativePaths) {
      const [sourceFile, targetFile] = [join(from, folder, name), join(to, folder, name)]
      const fileStats = await stat(sourceFile).catch(ignoreMissing)
      if (!fileStats?.isFile() || name.endsWith('.part')) continue
      await mkdir(dirname(targetFile), { recursive: true })
      // Copy-on-write costs nothing where the file system supports it.
      const isCopied = await copyFile(sourceFile, targetFile, constants.COPYFILE_FICLONE).then(
        () => true,
        ignoreMissing,
      )
      // A copy has the mode of its original, whatever the umask.
      if (isCopied) await chmod(targetFile, 0o600)
      if (isCopied) copiedCount++
    }
  }
  return copiedCount
}
