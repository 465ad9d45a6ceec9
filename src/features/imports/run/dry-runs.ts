import { sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import type { ImportBody, ImportExecution } from '../definitions/import-schemas.ts'
import { lockImport, replaceImportSource, updateImport } from '../definitions/imports.ts'
import { type ImportRef, type ImportSourceFile, requireIdleImport, withRequestFile } from '../upload/source-files.ts'
import { recordUpload, type StoredUpload, type UploadDirectory } from '../upload/uploads.ts'
import { insertImportExecution, readExecutionContent } from './executions.ts'

/** An upload as it is stored. */
interface TrialUpload extends StoredUpload {
  id: number
}

/** What a dry run works with, and the file that no upload records. */
interface Trial {
  content: ImportExecution['content']
  upload: TrialUpload
}

async function readUpload(tx: Db, id: number): Promise<TrialUpload | undefined> {
  const { rows } = await sql<TrialUpload>`
    select id, path, filename, bytes, has_header as "hasHeader" from import_uploads where id = ${id}`.execute(tx)
  return rows[0]
}

/** What the import would run with after `change`, which is undone. Throws conflict `no-file`. */
async function tryChange(tx: Db, place: ImportRef, change: (tx: Db) => Promise<unknown>): Promise<Trial> {
  await sql`savepoint trial`.execute(tx)
  await change(tx)
  const { content, upload } = await readExecutionContent(tx, place)
  const stored = await readUpload(tx, upload)
  await sql`rollback to savepoint trial`.execute(tx)
  if (!stored) throw new Error(`the upload ${upload} is not there`)
  return { content, upload: stored }
}

/** Queues a dry run of the import as `change` would leave it; what it changes is undone, but for a file on the disk. */
async function startTrial(
  { db, clock }: ServiceContext,
  directory: UploadDirectory,
  change: (tx: Db, now: Date) => Promise<unknown>,
): Promise<ImportExecution> {
  const { account, import: id } = directory
  const now = new Date(clock.now())
  return inTransaction(db, async (tx) => {
    await lockImport(tx, account, id)
    const { content, upload } = await tryChange(tx, { account, id }, (own) => change(own, now))
    const isStored = (await readUpload(tx, upload.id)) !== undefined
    const used = isStored ? upload.id : await recordUpload(tx, directory, upload, { now, isTrial: true })
    const source = { ...content.source, id: used }
    const run = { content: { ...content, source }, upload: used, bytes: upload.bytes, dryRun: true }
    return insertImportExecution(tx, { account, id }, run, now)
  })
}

/**
 * Starts a dry run: of the file of the request, or of the last one with the definition as the request would change it.
 * Neither is kept. Throws notFound, 400, conflict `import-running`, `no-file`, and what `storeUpload` throws.
 */
export async function startDryRun(
  context: ServiceContext,
  place: ImportRef,
  given: { definition: ImportBody } | (ImportSourceFile & { announced: number }),
): Promise<ImportExecution> {
  await requireIdleImport(context, place, { dryRun: true })
  if (!('definition' in given)) {
    return withRequestFile(context, place, given, (directory, file) =>
      startTrial(context, directory, (tx, now) => replaceImportSource(tx, directory, file, now)),
    )
  }
  const { definition } = given
  const directory = { config: context.config, account: place.account, import: place.id }
  return startTrial(context, directory, async (tx) => {
    if (Object.keys(definition).length > 0) await updateImport(tx, place, definition, context)
  })
}

/** Forgets the file that was sent for a dry run alone: its run has ended. Gives its path, to be removed after the commit. */
export async function purgeDryRunFile(tx: Db, execution: number): Promise<string | undefined> {
  const { rows } = await sql<{ path: string }>`
    delete from import_uploads u using import_executions e
    where e.id = ${execution} and u.id = e.upload and u.is_trial returning u.path`.execute(tx)
  return rows[0]?.path
}
