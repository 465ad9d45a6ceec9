import type { ServiceContext } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { readContactSettings } from '../../contacts/settings/settings.ts'
import type { RequestFile } from '../definitions/forms.ts'
import type { ImportBody, ImportExecution, ImportResponse } from '../definitions/import-schemas.ts'
import { lockImport, replaceImportSource, updateImport } from '../definitions/imports.ts'
import { fileTooLargeProblem, importRunningProblem } from '../files/file-problems.ts'
import { startImportExecution } from '../run/executions.ts'
import type { MultipartPart } from './multipart.ts'
import { discardUpload, type StoredUpload, storeUpload, type UploadDirectory, withStoredUpload } from './uploads.ts'

/** An import of an account. */
export interface ImportRef {
  account: AccountId
  id: number
}

/** The source file of a request: its body, or a part of a form. */
export type ImportSourceFile = { file: RequestFile } | { parts: AsyncIterable<MultipartPart> }

/** The file of a form: the part "data", else the first part with a file name. The form is read to its end. */
async function storeFormFile(
  directory: UploadDirectory,
  parts: AsyncIterable<MultipartPart>,
  maxBytes: number,
): Promise<StoredUpload> {
  let storedUpload: StoredUpload | undefined
  let isNamedPart = false
  try {
    for await (const { name, filename, body } of parts) {
      const isData = name === 'data'
      if (isNamedPart || (!isData && (filename === undefined || storedUpload))) continue
      const replacedUpload = storedUpload
      storedUpload = await storeUpload(directory, { name: filename, chunks: body }, maxBytes)
      isNamedPart = isData
      if (replacedUpload) await discardUpload(directory, replacedUpload)
    }
  } catch (error) {
    if (storedUpload) await discardUpload(directory, storedUpload)
    throw error
  }
  if (!storedUpload)
    throw badRequestProblem('data', 'is required: the form must contain the file in a part with this name')
  return storedUpload
}

/**
 * Stores the source file of a request. `announced`: its length in bytes by the request's headers, so that one that is too
 * large is refused before it is read. Throws what `storeUpload` throws.
 */
export async function storeRequestFile(
  { db }: Pick<ServiceContext, 'db'>,
  directory: UploadDirectory,
  { announced, ...source }: ImportSourceFile & { announced: number },
): Promise<StoredUpload> {
  const { importMaxBytes } = await readContactSettings(db, directory.account)
  const isAlone = 'file' in source
  if (isAlone && announced > importMaxBytes) throw fileTooLargeProblem(importMaxBytes)
  return isAlone
    ? storeUpload(directory, source.file, importMaxBytes)
    : storeFormFile(directory, source.parts, importMaxBytes)
}

/** Stores the source file of a request for an import and runs `use` on it, as `withStoredUpload`. */
export async function withRequestFile<Result>(
  context: ServiceContext,
  { account, id }: ImportRef,
  source: ImportSourceFile & { announced: number },
  use: (directory: UploadDirectory, file: StoredUpload) => Promise<Result>,
): Promise<Result> {
  const directory = { config: context.config, account, import: id }
  return withStoredUpload(
    context.db,
    directory,
    () => storeRequestFile(context, directory, source),
    (file) => use(directory, file),
  )
}

/** Makes a file the source of an import; a broken upload leaves the former one. Throws notFound, and what `storeUpload` throws. */
export async function storeImportSource(
  context: ServiceContext,
  place: ImportRef,
  source: ImportSourceFile & { announced: number },
): Promise<ImportResponse> {
  const { db, clock } = context
  return withRequestFile(context, place, source, (directory, file) =>
    replaceImportSource(db, directory, file, new Date(clock.now())),
  )
}

/** Throws conflict `import-running`, before an upload that would be refused at its end. */
export async function requireIdleImport(
  { db }: Pick<ServiceContext, 'db'>,
  { account, id }: ImportRef,
  { dryRun }: { dryRun: boolean },
): Promise<void> {
  const running = await db
    .selectFrom('import_executions')
    .select('id')
    .where('account', '=', account)
    .where('import', '=', id)
    .where('state', '=', 0)
    .where('dry_run', '=', dryRun)
    .executeTakeFirst()
  if (running) throw importRunningProblem(id, dryRun)
}

/**
 * Starts a run: on the file of the request, or on the last one after changing the definition by the request. All of it
 * or nothing. Throws notFound, 400, conflict `import-running`, `no-file`, and what `storeUpload` throws.
 */
export async function startImportRun(
  context: ServiceContext,
  place: ImportRef,
  runInput: { definition: ImportBody } | (ImportSourceFile & { announced: number }),
): Promise<ImportExecution> {
  const { db, clock } = context
  await requireIdleImport(context, place, { dryRun: false })
  const now = new Date(clock.now())
  if (!('definition' in runInput)) {
    return withRequestFile(context, place, runInput, (directory, file) =>
      inTransaction(db, async (tx) => {
        await replaceImportSource(tx, directory, file, now)
        return startImportExecution(tx, place, now)
      }),
    )
  }
  return inTransaction(db, async (tx) => {
    if (Object.keys(runInput.definition).length > 0) {
      await lockImport(tx, place.account, place.id)
      await updateImport(tx, place, runInput.definition, context)
    }
    return startImportExecution(tx, place, now)
  })
}
