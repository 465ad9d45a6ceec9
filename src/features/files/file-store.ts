import { createReadStream, openAsBlob } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { ServiceConfig } from '../../config.ts'
import { openFileBucket } from './file-bucket.ts'

/** Where the files of an installation are: a bucket if one is configured, else the data directory of this machine. */
export type FileStoreConfig = Pick<ServiceConfig, 'dataDir' | 'archives'>

/**
 * Files of any size that one process writes and another may read: uploads and exports, by name (`imports/1/7/0A1B2C3D4E`).
 * In a bucket all machines find them; in the data directory those that share it do. Every call throws when the bucket is
 * away.
 */
export interface FileStore {
  /** Moves a file of this machine into the store, whole or not at all. */
  keep(name: string, from: string): Promise<void>
  /** Octets of a file; undefined when there is none. */
  size(name: string): Promise<number | undefined>
  read(name: string): Readable
  /** A path of this machine at which a file can be read: `copy` if it had to be fetched. Undefined when there is none. */
  local(name: string, copy: string, signal?: AbortSignal): Promise<string | undefined>
  /** Does nothing when there is no such file. */
  remove(name: string): Promise<void>
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

function openDisk(dataDir: string): FileStore {
  const pathOf = (name: string): string => join(dataDir, name)
  return {
    keep: (name, from) => rename(from, pathOf(name)),
    size: (name) => sizeOf(pathOf(name)),
    read: (name) => createReadStream(pathOf(name)),
    local: async (name) => ((await sizeOf(pathOf(name))) === undefined ? undefined : pathOf(name)),
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

/** The store that the settings name. What was stored in the data directory before there was a bucket is still found there. */
export function openFileStore({ dataDir, archives }: FileStoreConfig): FileStore {
  const disk = openDisk(dataDir)
  if (!archives) return disk
  const bucket = openFileBucket(archives)
  return {
    async keep(name, from) {
      await bucket.write(name, await openAsBlob(from))
      await rm(from, { force: true })
    },
    size: async (name) => (await disk.size(name)) ?? bucket.size(name),
    read: (name) =>
      Readable.from(
        (async function* () {
          yield* (await disk.size(name)) === undefined ? bucket.read(name) : disk.read(name)
        })(),
        { objectMode: false },
      ),
    async local(name, copy, signal) {
      const own = await disk.local(name, copy)
      if (own !== undefined) return own
      await mkdir(dirname(copy), { recursive: true })
      return (await bucket.fetch(name, copy, signal)) ? copy : undefined
    },
    async remove(name) {
      await disk.remove(name)
      await bucket.remove(name)
    },
  }
}

/** The files in the bucket whose names begin so and that were put there before `before`; none where no bucket is configured. */
export async function* listBucketFiles(
  { archives }: Pick<FileStoreConfig, 'archives'>,
  prefix: string,
  before = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  if (!archives) return
  for await (const { name, at } of openFileBucket(archives).list(prefix)) if (at < before) yield name
}
