import { createReadStream } from 'node:fs'
import { access, mkdir, readdir, realpath, rename, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'

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
  read(folder: string, name: string): AsyncIterable<Buffer>
  /** Moves a file into a folder below its own, which is made when it is not there; gives it another name where its own is taken. */
  move(folder: string, name: string, into: string): Promise<void>
  close(): Promise<void>
}

/** Candidate names for a file, of which it gets the first free one: `a.csv`, `a (1).csv`, … */
export function* otherNames(name: string): Generator<string> {
  yield name
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let n = 1; ; n++) yield `${stem} (${n})${extension}`
}

/** Gives the path, resolved from links and dots. Throws when it is not in the root. */
export function requireBelow(root: string, path: string): string {
  const way = posix.relative(root, path)
  if (way === '..' || way.startsWith('../')) throw new Error('outside the drop folder')
  return path
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** A directory of this machine as a drop place. */
export function directoryPlace(root: string): DropPlace {
  async function inside(folder: string, name = ''): Promise<string> {
    const path = await realpath(join(root, folder, name))
    return requireBelow(await realpath(root), path)
  }

  async function fileOf(folder: string, name: string): Promise<DroppedFile[]> {
    try {
      const found = await stat(await inside(folder, name))
      return found.isFile() ? [{ name, bytes: found.size, modifiedAt: found.mtimeMs }] : []
    } catch {
      // Gone meanwhile, or a link to elsewhere.
      return []
    }
  }

  return {
    async list(folder) {
      try {
        const names = await readdir(await inside(folder))
        return (await Promise.all(names.map((name) => fileOf(folder, name)))).flat()
      } catch (error) {
        if (isMissing(error)) {
          await access(root)
          return []
        }
        throw error
      }
    },
    async *read(folder, name) {
      yield* createReadStream(await inside(folder, name))
    },
    async move(folder, name, into) {
      const from = await inside(folder, name)
      const target = join(await inside(folder), into)
      await mkdir(target, { recursive: true })
      await inside(folder, into)
      const taken = new Set(await readdir(target))
      for (const free of otherNames(name)) if (!taken.has(free)) return rename(from, join(target, free))
    },
    close: async () => {},
  }
}
