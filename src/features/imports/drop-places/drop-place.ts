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
 * Where files for imports are left. Folders are paths below it, separated by slashes. Calls reject when it is unavailable, and
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
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let n = 1; ; n++) yield `${stem} (${n})${extension}`
}

/** Throws for an opened file that is not the regular one which was listed. */
export function requireListedFile(
  { name, bytes, modifiedAt }: DroppedFile,
  opened: { isFile: boolean; bytes: number; modifiedAt: number },
): void {
  if (!opened.isFile || opened.bytes !== bytes || opened.modifiedAt !== modifiedAt)
    throw new Error(`"${name}" changed after it was listed`)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** A file of a folder, or none: it is gone meanwhile, no file, or a link to elsewhere. */
async function fileBelow(root: string, folder: string, name: string): Promise<DroppedFile[]> {
  try {
    const stats = await stat(await resolvePathBelow(root, folder, name))
    return stats.isFile() ? [{ name, bytes: stats.size, modifiedAt: stats.mtimeMs }] : []
  } catch {
    return []
  }
}

/** A directory of this machine as a drop place. */
export function openDirectoryPlace(root: string): DropPlace {
  const inside = (folder: string, name = ''): Promise<string> => resolvePathBelow(root, folder, name)

  return {
    async list(folder) {
      try {
        const names = await readdir(await inside(folder))
        return (await Promise.all(names.map((name) => fileBelow(root, folder, name)))).flat()
      } catch (error) {
        if (isMissing(error)) {
          await access(root)
          return []
        }
        throw error
      }
    },
    async *read(folder, file) {
      const handle = await openFileBelow(root, await inside(folder, file.name))
      try {
        const opened = await handle.stat()
        requireListedFile(file, { isFile: opened.isFile(), bytes: opened.size, modifiedAt: opened.mtimeMs })
        yield* handle.createReadStream({ autoClose: false })
      } finally {
        await handle.close()
      }
    },
    async move(folder, name, into) {
      const from = await inside(folder, name)
      await withFolderBelow(root, await inside(folder), async (own) => {
        // Open to whom the folder around it is: they leave files here, and look for them again.
        if (await mkdir(join(own, into), { recursive: true })) await chmod(join(own, into), (await stat(own)).mode)
      })
      const target = await inside(folder, into)
      await withFolderBelow(root, dirname(from), (source) =>
        withFolderBelow(root, target, async (own) => {
          const takenNames = new Set(await readdir(own))
          for (const free of listCandidateNames(name)) {
            if (!takenNames.has(free)) return rename(join(source, basename(from)), join(own, free))
          }
        }),
      )
    },
    close: async () => {},
  }
}
