import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { type FileStoreConfig, listBucketFiles, openFileStore } from '../../files/file-store.ts'
import { NO_IMPORT_ID, UPLOAD_IDLE_MS, UPLOAD_NAME_PREFIX, uploadsRootPath } from './uploads.ts'

/** Names in an upload directory: files, uploads under way, and what is unpacked for a run. */
const UPLOAD_NAME_PATTERN = /^(?:[0-9A-F]{10}(?:\.part)?|\d+\.unpacked)$/

/** Something in the upload directory of an import, or with an empty name the directory itself. */
interface UploadEntry {
  import: number
  name: string
  path: string
}

async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** Everything in all upload directories that has not been written to since. */
async function* listIdleEntries(root: string, since: number): AsyncGenerator<UploadEntry> {
  for (const account of await listNames(root)) {
    for (const directory of await listNames(join(root, account))) {
      const id = directory === String(NO_IMPORT_ID) ? NO_IMPORT_ID : parseInt32Id(directory)
      if (id === undefined) continue
      const folder = join(root, account, directory)
      const directoryItself = id === NO_IMPORT_ID ? [] : ['']
      for (const name of [
        ...directoryItself,
        ...(await listNames(folder)).filter((fileEntry) => UPLOAD_NAME_PATTERN.test(fileEntry)),
      ]) {
        const path = join(folder, name)
        const fileEntry = await stat(path).catch(() => undefined)
        if (fileEntry && fileEntry.mtimeMs < since) yield { import: id, name, path }
      }
    }
  }
}

/** Selects the orphans: upload directories without an import, and files without an upload and without an active run. */
async function selectOrphans(db: Db, idle: readonly UploadEntry[]): Promise<UploadEntry[]> {
  const { rows } = await sql<{ place: number }>`
    select f.place from unnest(${idle.map((uploadEntry) => uploadEntry.import)}::integer[], ${idle.map(({ name }) => name)}::text[])
      with ordinality as f(import, name, place)
    where case when f.name = '' then not exists (select from imports i where i.id = f.import)
      else not exists (select from import_uploads u where u.import = f.import and u.path = f.name)
        and not exists (
          select from import_executions e
          where e.import = f.import and e.state = 0 and f.name = e.id || '.unpacked') end`.execute(db)
  return rows.flatMap(({ place }) => idle[place - 1] ?? [])
}

/** The same of uploads in the bucket: every machine sees all of them. */
async function* listIdleBucketEntries(config: FileStoreConfig, before: number): AsyncGenerator<UploadEntry> {
  for await (const path of listBucketFiles(config, UPLOAD_NAME_PREFIX, before)) {
    const [, , directory = '', name = ''] = path.split('/')
    const id = directory === String(NO_IMPORT_ID) ? NO_IMPORT_ID : parseInt32Id(directory)
    if (id !== undefined) yield { import: id, name, path }
  }
}

/**
 * Removes what dead processes left of imports: unfinished uploads, files that no import was given, what was unpacked for
 * a run, and the upload directories of deleted imports. What was written to within the hour is left alone.
 */
export async function purgeStaleUploads({
  db,
  config,
  clock,
}: Pick<ServiceContext, 'db' | 'config' | 'clock'>): Promise<void> {
  const idleBefore = clock.now() - UPLOAD_IDLE_MS
  const idleEntries = listIdleEntries(uploadsRootPath(config.dataDir), idleBefore)
  for (const { path } of await selectOrphans(db, await Array.fromAsync(idleEntries))) {
    await rm(path, { recursive: true, force: true })
  }
  const bucketEntries = await Array.fromAsync(listIdleBucketEntries(config, idleBefore))
  for (const { path } of await selectOrphans(db, bucketEntries)) await openFileStore(config).remove(path)
}
