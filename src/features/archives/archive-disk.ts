import { type FileHandle, mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ArchiveStore } from './archive-store.ts'

const isFileMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function useFile<Result>(
  path: string,
  flags: string,
  work: (fileHandle: FileHandle) => Promise<Result>,
): Promise<Result | undefined> {
  let fileHandle: FileHandle
  try {
    fileHandle = await open(path, flags)
  } catch (error) {
    if (isFileMissing(error)) return undefined
    throw error
  }
  try {
    return await work(fileHandle)
  } finally {
    await fileHandle.close()
  }
}

/** Flushes a directory, so that the name of a new file outlives a loss of power. */
async function flushDirectory(path: string): Promise<void> {
  await useFile(path, 'r', (directory) => directory.sync())
}

/** Packs as files below a directory, which is made when it is needed. */
export function openDiskArchiveStore(root: string): ArchiveStore {
  return {
    async write(name, bytes) {
      const path = join(root, name)
      const partialPath = `${path}.part`
      await mkdir(dirname(path), { recursive: true })
      await useFile(partialPath, 'w', async (fileHandle) => {
        await fileHandle.writeFile(bytes)
        await fileHandle.sync()
      })
      await rename(partialPath, path)
      await flushDirectory(dirname(path))
    },
    async read(name, { start, length }) {
      return useFile(join(root, name), 'r', async (fileHandle) => {
        const contents = Buffer.alloc(length)
        const { bytesRead } = await fileHandle.read(contents, 0, length, start)
        return contents.subarray(0, bytesRead)
      })
    },
    async overwrite(name, parts) {
      await useFile(join(root, name), 'r+', async (fileHandle) => {
        for (const { start, bytes } of parts) await fileHandle.write(bytes, 0, bytes.length, start)
        await fileHandle.sync()
      })
    },
    async remove(name) {
      const path = join(root, name)
      await rm(path, { force: true })
      await rm(`${path}.part`, { force: true })
      // The directory of a day goes with its last pack.
      await rmdir(dirname(path)).catch(() => undefined)
    },
  }
}
