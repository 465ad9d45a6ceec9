import { sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseResourceName } from '../../../lib/text/names.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import { DEFAULT_DROP_FOLDER, resolveDropFolder } from '../drop-places/drop-folder.ts'
import { encodeReceivedText } from '../files/encoding.ts'
import {
  findNextImportStart,
  hasScheduleChange,
  type ImportScheduler,
  parseImportSchedulerBody,
} from '../run/scheduler.ts'
import { discardUpload, recordUpload, type StoredUpload, storeUpload, type UploadDirectory } from '../upload/uploads.ts'
import type { ImportFeature } from './feature-schemas.ts'
import { parseImportFeatures } from './features.ts'
import { buildContactFile } from './field-maps.ts'
import type { ImportBody, ImportResponse, ImportSource, ImportSourceBody } from './import-schemas.ts'

const MAX_NAME_LENGTH = 200

/** Source of the files, as the definition states it. */
type StoredSource = Pick<ImportSource, 'type' | 'folder' | 'templateFilename'>

interface ImportRow {
  id: number
  name: string
  binding: number | null
  features: ImportFeature[]
  source: StoredSource
  scheduler: ImportScheduler | null
  next_at: Date | null
  created_at: Date
  updated_at: Date | null
  upload: number | null
  filename: string | null
  uploaded_at: Date | null
}

/** An import with its last upload. */
const importColumns = sql`
  i.id, i.name, i.binding, i.features, i.source, i.scheduler, i.next_at, i.created_at, i.updated_at,
  u.id as upload, u.filename, u.uploaded_at
  from imports i left join lateral (
    select * from import_uploads u where u.import = i.id and not u.is_trial order by u.id desc limit 1) u on true`

function toImportResponse(row: ImportRow): ImportResponse {
  return {
    id: row.id,
    name: row.name,
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at?.toISOString() ?? null,
    binding: row.binding,
    features: row.features,
    source: {
      ...row.source,
      id: row.upload,
      creationDate: row.created_at.toISOString(),
      updateDate: row.uploaded_at?.toISOString() ?? null,
      filename: row.filename,
    },
    ...(row.scheduler && {
      scheduler: {
        ...row.scheduler,
        type: String(row.scheduler['type']),
        nextDate: row.next_at?.toISOString() ?? null,
      },
    }),
  }
}

/** Every import, ascending id. */
export async function* listImports(
  db: Db,
  account: AccountId,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ImportResponse> {
  const query = sql<ImportRow>`
    select ${importColumns} where i.account = ${account} and i.id > ${after ?? 0} order by i.id limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toImportResponse(row)
}

/** One import. Throws notFound. */
export async function readImport(db: Db, account: AccountId, id: number): Promise<ImportResponse> {
  const { rows: matchingImports } =
    await sql<ImportRow>`select ${importColumns} where i.account = ${account} and i.id = ${id}`.execute(db)
  const [row] = matchingImports
  if (!row) throw notFoundProblem('import', id)
  return toImportResponse(row)
}

/** Locks an import until the transaction ends; `readImport` loads it. Throws notFound. */
export async function lockImport(db: Db, account: AccountId, id: number): Promise<void> {
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('account', '=', account)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFoundProblem('import', id)
}

/** Context of writes of imports, in addition to the database. */
export type ImportContext = Pick<ServiceContext, 'clock' | 'config'>

/**
 * Makes an import, and stores the file that `source.data` may hold. Throws 400, 404 (binding, segment), conflict
 * `segment-dynamic`, and what `storeUpload` throws.
 */
export async function createImport(
  db: Db,
  account: AccountId,
  body: ImportBody,
  importing: ImportContext,
): Promise<ImportResponse> {
  const name = parseResourceName(body.name, MAX_NAME_LENGTH)
  const now = new Date(importing.clock.now())
  return inTransaction(db, async (tx) => {
    const { id } = await tx
      .insertInto('imports')
      .values({ account, name, source: toJsonbText({ type: 'file' }), created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return applyDefinition(tx, { account, id }, body, importing)
  })
}

/** Changes the members given of a locked import; a run in progress keeps what it began with. Throws as `createImport`. */
export async function updateImport(
  tx: Db,
  { account, id }: { account: AccountId; id: number },
  body: ImportBody,
  importing: ImportContext,
): Promise<ImportResponse> {
  const name = body.name === undefined ? undefined : parseResourceName(body.name, MAX_NAME_LENGTH)
  const updated_at = new Date(importing.clock.now())
  await tx
    .updateTable('imports')
    .set({ updated_at, ...(name !== undefined && { name }) })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute()
  return applyDefinition(tx, { account, id }, body, importing)
}

/** Makes a stored file the source of an import; one that pulled its files is given them from now on. Throws notFound. */
export async function replaceImportSource(
  db: Db,
  directory: UploadDirectory,
  file: StoredUpload,
  now: Date,
): Promise<ImportResponse> {
  const { account, import: id } = directory
  return inTransaction(db, async (tx) => {
    await lockImport(tx, account, id)
    await tx
      .updateTable('imports')
      .set({ source: toJsonbText({ type: 'file' }) })
      .where('id', '=', id)
      .execute()
    await recordUpload(tx, directory, file, { now })
    return readImport(tx, account, id)
  })
}

/**
 * Deletes a locked import with its executions and rejects; its upload directory is to be removed once that is committed, since an upload
 * that misses its file there checks whether the import is gone. Throws conflict `import-running`.
 */
export async function deleteImport(tx: Db, { account, id }: LockedObject<number, ImportResponse>): Promise<void> {
  const activeRun = await tx
    .selectFrom('import_executions')
    .select('id')
    .where('import', '=', id)
    .where('state', '=', 0)
    .executeTakeFirst()
  if (activeRun)
    throw conflictProblem('import-running', `Execution ${activeRun.id} is running. Cancel it or wait until it ends.`)
  await tx.deleteFrom('imports').where('account', '=', account).where('id', '=', id).execute()
}

/** Stores binding, features, source and scheduler as far as they are given, with the links that guard them. */
async function applyDefinition(
  tx: Db,
  { account, id }: { account: AccountId; id: number },
  { name, binding, features, source, scheduler }: ImportBody,
  importing: ImportContext,
): Promise<ImportResponse> {
  const parsedFeatures = features && (await parseImportFeatures(tx, account, features))
  const columnChanges = {
    ...(binding !== undefined && { binding }),
    ...(parsedFeatures && { features: toJsonbText(parsedFeatures.features) }),
    ...(source && { source: toJsonbText(mergeSource(source, (await readImport(tx, account, id)).source)) }),
    ...(scheduler !== undefined &&
      hasScheduleChange(scheduler) &&
      (await buildSchedulerColumns(tx, { account, id }, scheduler, importing.clock.now()))),
  }
  if (Object.keys(columnChanges).length > 0) {
    await mapConstraintErrors(tx.updateTable('imports').set(columnChanges).where('id', '=', id).execute(), {
      foreignKey: () => notFoundProblem('import format', binding ?? 0),
    })
  }
  if (parsedFeatures) {
    await tx.deleteFrom('import_segments').where('import', '=', id).execute()
    await tx.deleteFrom('import_fields').where('import', '=', id).execute()
    await sql`
      insert into import_segments (account, import, segment)
      select ${account}, ${id}, unnest(${parsedFeatures.segments}::integer[])`.execute(tx)
    await sql`
      insert into import_fields (account, import, field)
      select ${account}, ${id}, unnest(${parsedFeatures.fields}::integer[])`.execute(tx)
  }
  if (source?.data !== undefined && source.data !== null) {
    await storeSourceData(tx, { account, id }, source, importing)
  }
  const changedImport = await readImport(tx, account, id)
  if (source || name !== undefined) requireFolderInside(changedImport)
  return changedImport
}

/** Throws 400 when the import's folder, as its name fills it, is not one below the drop place. */
function requireFolderInside({ id, name, source }: ImportResponse): void {
  if (source.type === 'file' || resolveDropFolder({ id, name }, source.folder ?? DEFAULT_DROP_FOLDER) !== undefined)
    return
  throw badRequestProblem('/source/folder', 'must be a path below the drop place after {id} and {name} are filled in')
}

/** The columns of a scheduler: as it is shown, and its next start. */
async function buildSchedulerColumns(
  tx: Db,
  { account, id }: { account: AccountId; id: number },
  schedulerBody: NonNullable<ImportBody['scheduler']> | null,
  now: number,
) {
  if (schedulerBody === null) return { scheduler: null, next_at: null }
  const { timeZone } = (await loadContactShape(tx, account)).settings
  const { scheduler: storedScheduler } = await readImport(tx, account, id)
  const creationDate = String(storedScheduler?.['creationDate'] ?? new Date(now).toISOString())
  const scheduler = parseImportSchedulerBody(schedulerBody, { id, creationDate, accountZone: timeZone })
  return { scheduler: toJsonbText(scheduler), next_at: findNextImportStart(scheduler, timeZone, now) ?? null }
}

/** Stores the file that a request's `source.data` holds: its text, or maps of which one is made. */
async function storeSourceData(
  tx: Db,
  { account, id }: { account: AccountId; id: number },
  { data, filename }: ImportSourceBody,
  { clock, config }: ImportContext,
): Promise<void> {
  const shape = await loadContactShape(tx, account)
  const directory = { config, account, import: id }
  const hasHeader = typeof data !== 'string'
  const text = typeof data === 'string' ? data : buildContactFile(data ?? [], shape)
  const chunks = (async function* () {
    yield encodeReceivedText(text)
  })()
  const storedFile = await storeUpload(
    directory,
    { name: filename ?? undefined, chunks, hasHeader },
    shape.settings.importMaxBytes,
  )
  try {
    await recordUpload(tx, directory, storedFile, { now: new Date(clock.now()) })
  } catch (error) {
    await discardUpload(directory, storedFile)
    throw error
  }
}

/** The source that a request asks for: absent members stay; a file in the request makes it one of files. */
function mergeSource(sourceBody: ImportSourceBody, present: StoredSource): StoredSource {
  const hasData = sourceBody.data !== undefined && sourceBody.data !== null
  if ((sourceBody.type ?? (hasData ? 'file' : present.type)) === 'file') return { type: 'file' }
  const path = sourceBody.folder ?? present.folder ?? DEFAULT_DROP_FOLDER
  if (/^[/\\]|^[a-z]:/i.test(path) || path.split(/[/\\]/).includes('..')) {
    throw badRequestProblem('/source/folder', 'must be a path below the drop place, without ".."')
  }
  return { type: 'ftp', folder: path, templateFilename: sourceBody.templateFilename ?? present.templateFilename ?? '*' }
}
