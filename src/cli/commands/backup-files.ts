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
  let copied = 0
  for (const folder of folders) {
    const names = (await readdir(join(from, folder), { recursive: true }).catch(ignoreMissing)) ?? []
    for (const name of names) {
      const [source, target] = [join(from, folder, name), join(to, folder, name)]
      const info = await stat(source).catch(ignoreMissing)
      if (!info?.isFile() || name.endsWith('.part')) continue
      await mkdir(dirname(target), { recursive: true })
      // Copy-on-write costs nothing where the file system supports it.
      const done = await copyFile(source, target, constants.COPYFILE_FICLONE).then(() => true, ignoreMissing)
      // A copy has the mode of its original, whatever the umask.
      if (done) await chmod(target, 0o600)
      if (done) copied++
    }
  }
  return copied
}
