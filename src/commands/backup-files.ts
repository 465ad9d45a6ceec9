import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** In a data directory while a restore into it is under way: nothing may be sent from it before it has ended. */
export const RESTORING = 'restoring'

/** What waits for the database: copied before it, so that what reaches the database meanwhile is in one of them. It has keys, and counts once. */
export const SPOOLED = ['spool']
/** What rows of the database name: copied after it, so that what they name is there. */
export const NAMED = ['archives', 'imports', 'exports', 'reply-parts']

function passOver(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

/** Names in a directory, none when it is not there. */
export async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(passOver)) ?? []
}

/** Copies folders with all that is in them; what goes away meanwhile is passed over. Gives the number of files. */
export async function copyFolders(from: string, to: string, folders: readonly string[]): Promise<number> {
  let copied = 0
  for (const folder of folders) {
    const names = (await readdir(join(from, folder), { recursive: true }).catch(passOver)) ?? []
    for (const name of names) {
      const [source, target] = [join(from, folder, name), join(to, folder, name)]
      const info = await stat(source).catch(passOver)
      if (!info?.isFile() || name.endsWith('.part')) continue
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      // A copy on write costs nothing where the file system has them.
      const done = await copyFile(source, target, constants.COPYFILE_FICLONE).then(() => true, passOver)
      if (done) copied++
    }
  }
  return copied
}
