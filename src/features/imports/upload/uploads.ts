import { randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { runEachIsolated } from '../../../jobs/failures.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { readFreeDiskBytes } from '../../../lib/files/free-bytes.ts'
import { type FileStoreConfig, listBucketFiles, openFileStore } from '../../files/file-store.ts'
import { verifyArchive } from '../files/archives.ts'
import {
  fileGoneProblem,
  fileTooLargeProblem,
  stalledUploadProblem,
  storageUnavailableProblem,
  unsupportedFileProblem,
} from '../files/file-problems.ts'

/** Maximum ratio of the unpacked size of an archive to the maximum size of a file. */
export const MAX_UNPACKED_RATIO = 20
/** Uploads are refused when less is free on the disk; the database needs the rest. */
const MIN_FREE_BYTES = 256 << 20
/** An upload that nothing is written to for so long is broken, and may be removed. */
export const UPLOAD_IDLE_MS = 3_600_000
const MAX_NAME_LENGTH = 200
const EXTENSION_PATTERN = /\.(csv|tsv|txt|xls[xm]|zip|gz|tgz)$/i

/** The upload directory of files that are looked at without an import; no import has this id. */
export const NO_IMPORT_ID = 0

/** The import of a file, and the directory of its files. */
export interface UploadDirectory {
  config: FileStoreConfig
  account: AccountId
  import: number
}

/** A file in the upload directory that is no import's source yet. */
export interface StoredUpload {
  path: string
  filename: string
  bytes: number
  /** Made from maps of a request: its first line names fields, whatever the binding. */
  hasHeader: boolean
}

/** The folder of all upload directories: ACCOUNT/IMPORT. */
export function uploadsRootPath(dataDir: string): string {
  return join(dataDir, 'imports')
}

/** The path of an upload directory. */
export function uploadDirectoryPath({ config, account, import: id }: UploadDirectory): string {
  return join(uploadsRootPath(config.dataDir), String(account), String(id))
}

/** The names of all uploads, and of those of an import, begin so. */
export const UPLOAD_NAME_PREFIX = 'imports/'
const buildStorePrefix = ({ account, import: id }: Omit<UploadDirectory, 'config'>): string =>
  `${UPLOAD_NAME_PREFIX}${account}/${id}/`

/**
 * The path at which an upload can be read on this machine: `copy` if it had to be fetched. Throws the Problems `file-gone`, and
 * `file-elsewhere` if each machine stores its own files.
 */
export async function fetchLocalUpload(
  directory: UploadDirectory,
  path: string,
  copy: string,
  signal?: AbortSignal,
): Promise<string> {
  const localPath = await openFileStore(directory.config).local(buildStorePrefix(directory) + path, copy, signal)
  if (localPath !== undefined) return localPath
  if (directory.config.archives) throw fileGoneProblem()
  throw new Problem(
    503,
    'file-elsewhere',
    'The file is on another machine. Machines without a shared data directory require shared storage. Ask the operator to set STENTOR_ARCHIVES.',
  )
}

/** Removes the upload directory of a deleted import. What an upload puts there meanwhile, that upload removes. */
export async function removeUploadDirectory(directory: UploadDirectory): Promise<void> {
  try {
    await rm(uploadDirectoryPath(directory), { recursive: true, force: true })
  } catch (error) {
    if (!hasErrorCode(error, 'ENOTEMPTY')) throw error
  }
  const store = openFileStore(directory.config)
  for await (const name of listBucketFiles(directory.config, buildStorePrefix(directory))) await store.remove(name)
}

/** True if an error has this code, and concerns this file if a path is passed. */
function hasErrorCode(error: unknown, code: string, path?: string): boolean {
  if (!(error instanceof Error && 'code' in error && error.code === code)) return false
  return path === undefined || ('path' in error && error.path === path)
}

/**
 * Stores a file and runs `use` on it; the file is removed when that fails. When the import is deleted meanwhile nothing
 * of it stays on the disk, and what failed for that reason throws notFound.
 */
export async function withStoredUpload<Result>(
  db: Db,
  directory: UploadDirectory,
  store: () => Promise<StoredUpload>,
  use: (storedFile: StoredUpload) => Promise<Result>,
): Promise<Result> {
  try {
    const storedFile = await store()
    try {
      return await use(storedFile)
    } catch (error) {
      await discardUpload(directory, storedFile)
      throw error
    }
  } catch (error) {
    const { account, import: id } = directory
    const matchingImport = db.selectFrom('imports').select('id').where('account', '=', account).where('id', '=', id)
    if (await matchingImport.executeTakeFirst()) throw error
    await removeUploadDirectory(directory)
    throw notFoundProblem('import', id)
  }
}

/**
 * Streams a file to disk, in constant memory, and makes sure that an archive can be read. `name` is what the client
 * calls it: only its last part is kept, and never used as a path. A file that is refused leaves nothing behind.
 * Throws 400 (empty, broken archive), 413 beyond `maxBytes`, 415 for another extension, 503 when the disk is nearly full.
 */
export async function storeUpload(
  directory: UploadDirectory,
  file: { name: string | undefined; chunks: AsyncIterable<Buffer>; hasHeader?: boolean },
  maxBytes: number,
): Promise<StoredUpload> {
  const name = sanitizeFileName(file.name)
  const folder = uploadDirectoryPath(directory)
  await mkdir(folder, { recursive: true })
  await requireFreeSpace(folder)
  const path = randomBytes(5).toString('hex').toUpperCase()
  const targetPath = join(folder, path)
  let bytes = 0
  const countBytes = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > maxBytes) throw fileTooLargeProblem(maxBytes)
      yield chunk
    }
  }
  // Opened first: a stream that opens its file itself may do so after a failed upload has removed it.
  const part = await open(`${targetPath}.part`, 'wx')
  try {
    await pipeline(countBytes(file.chunks), part.createWriteStream({ flush: true }))
    if (bytes === 0) throw badRequestProblem('', 'the file is empty')
    await verifyArchive({
      path: `${targetPath}.part`,
      name,
      maxUnpacked: maxBytes * MAX_UNPACKED_RATIO,
      onRead: () => {},
    })
    await storeInFileStore(directory, path)
  } catch (error) {
    await rm(`${targetPath}.part`, { force: true })
    if (hasErrorCode(error, 'ENOENT', `${targetPath}.part`)) throw stalledUploadProblem(error)
    throw error
  }
  return { path, filename: `${path}_${name}`, bytes, hasHeader: file.hasHeader ?? false }
}

/** Moves what was uploaded to where every run finds it. */
async function storeInFileStore(directory: UploadDirectory, path: string): Promise<void> {
  const part = `${join(uploadDirectoryPath(directory), path)}.part`
  try {
    await openFileStore(directory.config).keep(buildStorePrefix(directory) + path, part)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', part) || !directory.config.archives) throw error
    throw storageUnavailableProblem(error)
  }
}

/** Removes a stored file: what it was stored for has failed. */
export async function discardUpload(directory: UploadDirectory, { path }: Pick<StoredUpload, 'path'>): Promise<void> {
  await openFileStore(directory.config).remove(buildStorePrefix(directory) + path)
}

/** Makes a stored file the import's source, or that of one dry run; gives the upload's id. */
export async function recordUpload(
  db: Db,
  { account, import: id }: UploadDirectory,
  { path, filename, bytes, hasHeader }: StoredUpload,
  { now, isTrial = false }: { now: Date; isTrial?: boolean },
): Promise<number> {
  const uploadValues = { filename, path, bytes, has_header: hasHeader, uploaded_at: now, is_trial: isTrial }
  const uploadInsert = db.insertInto('import_uploads').values({ account, import: id, ...uploadValues })
  return (await uploadInsert.returning('id').executeTakeFirstOrThrow()).id
}

/**
 * Deletes the files that were uploaded longer ago than the account keeps them, and that no run works with, and the
 * rejects of runs that ended longer ago. For a daily task.
 */
export async function purgeImportFiles(db: Db, config: FileStoreConfig, now: Date): Promise<void> {
  const buildRetentionInterval = (name: string, fallback: number) =>
    sql`make_interval(days => coalesce((a.settings->'contacts'->>${name})::integer, ${fallback}))`
  const { rows } = await sql<{ account: number; import: number; path: string }>`
    delete from import_uploads u using accounts a
    where a.id = u.account and u.uploaded_at < ${now}::timestamptz - ${buildRetentionInterval('sourceRetentionDays', 30)}
      and not exists (select from import_executions e where e.upload = u.id and e.state = 0)
    returning u.account, u.import, u.path`.execute(db)
  await runEachIsolated(db, 'expireImports', rows, {
    subjectOf: ({ path }) => `file ${path}`,
    work: ({ account, import: id, path }) => discardUpload({ config, account, import: id }, { path }),
  })
  await sql`
    delete from import_rejects r using import_executions e, accounts a
    where e.id = r.execution and a.id = e.account
      and e.ended_at < ${now}::timestamptz - ${buildRetentionInterval('rejectsRetentionDays', 90)}`.execute(db)
}

/** The last part of a name in letters that every system shows; `import.csv` if there is no name. */
function sanitizeFileName(rawName: string | undefined): string {
  const lastSegment = (rawName ?? '').split(/[/\\]/).at(-1) ?? ''
  const name = lastSegment
    .normalize('NFC')
    .replaceAll(/[\p{C}"<>:|?*]/gu, '')
    .trim()
    .slice(-MAX_NAME_LENGTH)
  if (!/[^.]\.[^.]+$/.test(name)) return 'import.csv'
  if (!EXTENSION_PATTERN.test(name)) throw unsupportedFileProblem(`"${name}"`)
  return name
}

async function requireFreeSpace(folder: string): Promise<void> {
  if ((await readFreeDiskBytes(folder)) >= MIN_FREE_BYTES) return
  throw new Problem(503, 'disk-full', 'The disk of the service is nearly full. Contact the operator, then try again.', {
    headers: { 'retry-after': '600' },
  })
}
