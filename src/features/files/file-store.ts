import { createReadStream, openAsBlob } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { ServiceConfig } from '../../config.ts'
import { openFileBucket } from './file-bucket.ts'

/** Storage of the files of an installation: a bucket if one is configured, else the data directory of this machine. */
export type FileStoreConfig = Pick<ServiceConfig, 'dataDir' | 'archives'>

/**
 * Files of any size that one process writes and another may read: uploads and exports, by name (`imports/1/7/0A1B2C3D4E`).
 * In a bucket all machines find them; in the data directory those that share it do. Every call throws when the bucket is
 * away.
 */
export interface FileStore {
  /** Moves a file of this machine into the store, whole or not at all. */
  keep(name: string, from: string): Promise<void>
  /** Size of a file in bytes. `undefined` if it does not exist. */
  size(name: string): Promise<number | undefined>
  read(name: string): Readable
  /** A local path from which a file can be read: `copy` if it had to be fetched. `undefined` if the file does not exist. */
  local(name: string, copy: string, signal?: AbortSignal): Promise<string | undefined>
  /** Does nothing when there is no such file. */
  remove(name: string): Promise<void>
}

async function readFileSize(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

function openDiskStore(dataDir: string): FileStore {
  const resolvePath = (name: string): string => join(dataDir, name)
  return {
    keep: (name, from) => rename(from, resolvePath(name)),
    size: (name) => readFileSize(resolvePath(name)),
    read: (name) => createReadStream(resolvePath(name)),
    local: async (name) => ((await readFileSize(resolvePath(name))) === undefined ? undefined : resolvePath(name)),
    remove: (name) => rm(resolvePath(name), { force: true }),
  }
}

/** The store that the settings name. What was stored in the data directory before there was a bucket is still found there. */
export function openFileStore({ dataDir, archives }: FileStoreConfig): FileStore {
  const diskStore = openDiskStore(dataDir)
  if (!archives) return diskStore
  const bucketStore = openFileBucket(archives)
  return {
    async keep(name, from) {
      await bucketStore.write(name, await openAsBlob(from))
      await rm(from, { force: true })
    },
    size: async (name) => (await diskStore.size(name)) ?? bucketStore.size(name),
    read: (name) =>
      Readable.from(
        (async function* () {
          yield* (await diskStore.size(name)) === undefined ? bucketStore.read(name) : diskStore.read(name)
        })(),
        { objectMode: false },
      ),
    async local(name, copy, signal) {
      const diskPath = await diskStore.local(name, copy)
      if (diskPath !== undefined) return diskPath
      await mkdir(dirname(copy), { recursive: true })
      return (await bucketStore.fetch(name, copy, signal)) ? copy : undefined
    },
    async remove(name) {
      await diskStore.remove(name)
      await bucketStore.remove(name)
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
  for await (const { name, at: modifiedAt } of openFileBucket(archives).list(prefix))
    if (modifiedAt < before) yield name
}
