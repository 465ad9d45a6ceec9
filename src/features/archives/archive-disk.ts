import { type FileHandle, mkdir, open, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ArchiveStore } from './archive-store.ts'

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function withFile<Result>(
  path: string,
  flags: string,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result | undefined> {
  let file: FileHandle
  try {
    file = await open(path, flags)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}

/** Flushes a directory, so that the name of a new file outlives a loss of power. */
async function flushDirectory(path: string): Promise<void> {
  await withFile(path, 'r', (directory) => directory.sync())
}

/** Packs as files below a directory, which is made when it is needed. */
export function openDiskArchiveStore(root: string): ArchiveStore {
  return {
    async write(name, bytes) {
      const path = join(root, name)
      const draft = `${path}.part`
      await mkdir(dirname(path), { recursive: true })
      await withFile(draft, 'w', async (file) => {
        await file.writeFile(bytes)
        await file.sync()
      })
      await rename(draft, path)
      await flushDirectory(dirname(path))
    },
    async read(name, { start, length }) {
      return withFile(join(root, name), 'r', async (file) => {
        const buffer = Buffer.alloc(length)
        const { bytesRead } = await file.read(buffer, 0, length, start)
        return buffer.subarray(0, bytesRead)
      })
    },
    async overwrite(name, parts) {
      await withFile(join(root, name), 'r+', async (file) => {
        for (const { start, bytes } of parts) await file.write(bytes, 0, bytes.length, start)
        await file.sync()
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
