import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** Gives the path, resolved from links and dots. Throws when it is not in the root. */
export function requirePathBelow(root: string, path: string): string {
  const relativePath = posix.relative(root, path)
  if (relativePath === '..' || relativePath.startsWith('../')) throw new Error('outside the drop folder')
  return path
}

/** The path that parts below a root lead to, without links. Rejects when it is not in the root. */
export async function resolvePathBelow(root: string, ...parts: string[]): Promise<string> {
  const path = await realpath(join(root, ...parts))
  return requirePathBelow(await realpath(root), path)
}

/** The path of what is opened, whatever its name leads to by now. Other systems than Linux know none. */
const resolveOpenPath = ({ fd }: FileHandle, path: string): string =>
  process.platform === 'linux' ? `/proc/self/fd/${fd}` : path

/**
 * Opens what a path names without following a link, and looks at what was opened: between a look at a name and its use the name may
 * come to lead elsewhere. Rejects for what is outside the root.
 */
export async function openFileBelow(root: string, path: string, flags = 0): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | flags)
  try {
    const [openedStats, pathStats] = [await handle.stat(), await lstat(path)]
    if (openedStats.ino !== pathStats.ino || openedStats.dev !== pathStats.dev)
      throw new Error('replaced while it was opened')
    requirePathBelow(await realpath(root), await realpath(resolveOpenPath(handle, path)))
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Works with a path of a folder that leads to it also when its name leads elsewhere by now. Rejects for one outside the root. */
export async function withFolderBelow<T>(
  root: string,
  path: string,
  work: (heldPath: string) => Promise<T>,
): Promise<T> {
  const handle = await openFileBelow(root, path, constants.O_DIRECTORY)
  try {
    return await work(resolveOpenPath(handle, path))
  } finally {
    await handle.close()
  }
}
