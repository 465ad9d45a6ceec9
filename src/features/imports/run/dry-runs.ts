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

/** Input of a dry run, and the file that no upload records. */
interface Trial {
  content: ImportExecution['content']
  upload: TrialUpload
}

async function readTrialUpload(tx: Db, id: number): Promise<TrialUpload | undefined> {
  const { rows } = await sql<TrialUpload>`
    select id, path, filename, bytes, has_header as "hasHeader" from import_uploads where id = ${id}`.execute(tx)
  return rows[0]
}

/** The input with which the import would run after `change`, which is rolled back. Throws conflict `no-file`. */
async function simulateChange(tx: Db, place: ImportRef, change: (tx: Db) => Promise<unknown>): Promise<Trial> {
  await sql`savepoint trial`.execute(tx)
  await change(tx)
  const { content, upload } = await readExecutionContent(tx, place)
  const storedUpload = await readTrialUpload(tx, upload)
  await sql`rollback to savepoint trial`.execute(tx)
  if (!storedUpload) throw new Error(`the upload ${upload} does not exist`)
  return { content, upload: storedUpload }
}

/** Queues a dry run of the import as `change` would leave it; what it changes is undone, but for a file on the disk. */
async function startTrialRun(
  { db, clock }: ServiceContext,
  directory: UploadDirectory,
  change: (tx: Db, now: Date) => Promise<unknown>,
): Promise<ImportExecution> {
  const { account, import: id } = directory
  const now = new Date(clock.now())
  return inTransaction(db, async (tx) => {
    await lockImport(tx, account, id)
    const { content, upload } = await simulateChange(tx, { account, id }, (trialTx) => change(trialTx, now))
    const isStored = (await readTrialUpload(tx, upload.id)) !== undefined
    const trialUploadId = isStored ? upload.id : await recordUpload(tx, directory, upload, { now, isTrial: true })
    const trialSource = { ...content.source, id: trialUploadId }
    const newRun = {
      content: { ...content, source: trialSource },
      upload: trialUploadId,
      bytes: upload.bytes,
      dryRun: true,
    }
    return insertImportExecution(tx, { account, id }, newRun, now)
  })
}

/**
 * Starts a dry run: of the file of the request, or of the last one with the definition as the request would change it.
 * Neither is kept. Throws notFound, 400, conflict `import-running`, `no-file`, and what `storeUpload` throws.
 */
export async function startDryRun(
  context: ServiceContext,
  place: ImportRef,
  runInput: { definition: ImportBody } | (ImportSourceFile & { announced: number }),
): Promise<ImportExecution> {
  await requireIdleImport(context, place, { dryRun: true })
  if (!('definition' in runInput)) {
    return withRequestFile(context, place, runInput, (directory, file) =>
      startTrialRun(context, directory, (tx, now) => replaceImportSource(tx, directory, file, now)),
    )
  }
  const { definition } = runInput
  const directory = { config: context.config, account: place.account, import: place.id }
  return startTrialRun(context, directory, async (tx) => {
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
