import { access, chmod, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { openFileBelow, resolvePathBelow, withFolderBelow } from './open-below.ts'

/** A file in a folder of a drop place. */
export interface DroppedFile {
  name: string
  bytes: number
  /** Milliseconds, by the clock of the place. */
  modifiedAt: number
}

/**
 * Storage where files for imports are dropped. Folders are paths below it, separated by slashes. Calls reject if it is unavailable, and
 * for paths outside of it, by name or by a link.
 */
export interface DropPlace {
  /** The files of a folder; none when there is no such folder. */
  list(folder: string): Promise<DroppedFile[]>
  /** The bytes of a file that `list` showed. Rejects when it is another one by now, or was written to. */
  read(folder: string, file: DroppedFile): AsyncIterable<Buffer>
  /** Moves a file into a folder below its own, which is made when it is not there; gives it another name where its own is taken. */
  move(folder: string, name: string, into: string): Promise<void>
  close(): Promise<void>
}

/** Candidate names for a file, of which it gets the first free one: `a.csv`, `a (1).csv`, … */
export function* listCandidateNames(name: string): Generator<string> {
  yield name
  const dotIndex = name.lastIndexOf('.')
  const [stem, extension] = dotIndex > 0 ? [name.slice(0, dotIndex), name.slice(dotIndex)] : [name, '']
  for (let copyNumber = 1; ; copyNumber++) yield `${stem} (${copyNumber})${extension}`
}

/** Throws for an opened file that is not the regular one which was listed. */
export function requireListedFile(
  { name, bytes, modifiedAt }: DroppedFile,
  opened: { isFile: boolean; bytes: number; modifiedAt: number },
): void {
  if (!opened.isFile || opened.bytes !== bytes || opened.modifiedAt !== modifiedAt)
    throw new Error(`"${name}" changed after it was listed`)
}

function isFileMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** A file of a folder, or none: it is gone meanwhile, no file, or a link to elsewhere. */
async function statFileBelow(root: string, folder: string, name: string): Promise<DroppedFile[]> {
  try {
    const stats = await stat(await resolvePathBelow(root, folder, name))
    return stats.isFile() ? [{ name, bytes: stats.size, modifiedAt: stats.mtimeMs }] : []
  } catch {
    return []
  }
}

/** A directory of this machine as a drop place. */
export function openDirectoryPlace(root: string): DropPlace {
  const resolveInside = (folder: string, name = ''): Promise<string> => resolvePathBelow(root, folder, name)

  return {
    async list(folder) {
      try {
        const names = await readdir(await resolveInside(folder))
        return (await Promise.all(names.map((name) => statFileBelow(root, folder, name)))).flat()
      } catch (error) {
        if (isFileMissing(error)) {
          await access(root)
          return []
        }
        throw error
      }
    },
    async *read(folder, file) {
      const handle = await openFileBelow(root, await resolveInside(folder, file.name))
      try {
        const openedStats = await handle.stat()
        requireListedFile(file, {
          isFile: openedStats.isFile(),
          bytes: openedStats.size,
          modifiedAt: openedStats.mtimeMs,
        })
        yield* handle.createReadStream({ autoClose: false })
      } finally {
        await handle.close()
      }
    },
    async move(folder, name, into) {
      const sourcePath = await resolveInside(folder, name)
      await withFolderBelow(root, await resolveInside(folder), async (withinFolder) => {
        // Open to whom the folder around it is: they leave files here, and look for them again.
        if (await mkdir(join(withinFolder, into), { recursive: true }))
          await chmod(join(withinFolder, into), (await stat(withinFolder)).mode)
      })
      const targetFolder = await resolveInside(folder, into)
      await withFolderBelow(root, dirname(sourcePath), (source) =>
        withFolderBelow(root, targetFolder, async (withinFolder) => {
          const takenNames = new Set(await readdir(withinFolder))
          for (const freeName of listCandidateNames(name)) {
            if (!takenNames.has(freeName))
              return rename(join(source, basename(sourcePath)), join(withinFolder, freeName))
          }
        }),
      )
    },
    close: async () => {},
  }
}
