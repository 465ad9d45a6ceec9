import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import { readContactSettings } from '../../contacts/settings/settings.ts'
import type { SentFile } from '../definitions/forms.ts'
import type { Execution, Import, ImportBody } from '../definitions/import-schemas.ts'
import { replaceSource, updateImport } from '../definitions/imports.ts'
import { fileTooLarge, importRunning } from '../files/file-problems.ts'
import { startExecution } from '../run/executions.ts'
import type { Part } from './multipart.ts'
import { discardFile, type StoredFile, storeFile, type UploadDirectory, withStored } from './uploads.ts'

/** An import of an account. */
export interface ImportRef {
  account: AccountId
  id: number
}

/** The source file of a request: its body, or a part of a form. */
export type SourceFile = { file: SentFile } | { parts: AsyncIterable<Part> }

/** The file of a form: the part "data", else the first part with a file name. The form is read to its end. */
async function storePart(
  directory: UploadDirectory,
  parts: AsyncIterable<Part>,
  maxBytes: number,
): Promise<StoredFile> {
  let stored: StoredFile | undefined
  let isMeant = false
  try {
    for await (const { name, filename, body } of parts) {
      const isData = name === 'data'
      if (isMeant || (!isData && (filename === undefined || stored))) continue
      const replaced = stored
      stored = await storeFile(directory, { name: filename, chunks: body }, maxBytes)
      isMeant = isData
      if (replaced) await discardFile(directory, replaced)
    }
  } catch (error) {
    if (stored) await discardFile(directory, stored)
    throw error
  }
  if (!stored) throw badRequest('data', 'is missing: the form must hold the file in a part of this name')
  return stored
}

/**
 * Stores the source file of a request. `announced`: its length in bytes by the request's headers, so that one that is too
 * large is refused before it is read. Throws what `storeFile` throws.
 */
export async function storeSent(
  { db }: Pick<Context, 'db'>,
  directory: UploadDirectory,
  { announced, ...source }: SourceFile & { announced: number },
): Promise<StoredFile> {
  const { importMaxBytes } = await readContactSettings(db, directory.account)
  const isAlone = 'file' in source
  if (isAlone && announced > importMaxBytes) throw fileTooLarge(importMaxBytes)
  return isAlone
    ? storeFile(directory, source.file, importMaxBytes)
    : storePart(directory, source.parts, importMaxBytes)
}

/** Stores the source file of a request for an import and runs `use` on it, as `withStored`. */
export async function withFile<Result>(
  context: Context,
  { account, id }: ImportRef,
  source: SourceFile & { announced: number },
  use: (directory: UploadDirectory, file: StoredFile) => Promise<Result>,
): Promise<Result> {
  const directory = { config: context.config, account, import: id }
  return withStored(
    context.db,
    directory,
    () => storeSent(context, directory, source),
    (file) => use(directory, file),
  )
}

/** Makes a file the source of an import; a broken upload leaves the former one. Throws notFound, and what `storeFile` throws. */
export async function storeSource(
  context: Context,
  place: ImportRef,
  source: SourceFile & { announced: number },
): Promise<Import> {
  const { db, clock } = context
  return withFile(context, place, source, (directory, file) =>
    replaceSource(db, directory, file, new Date(clock.now())),
  )
}

/** Throws conflict `import-running`, before an upload that would be refused at its end. */
export async function requireIdle(
  { db }: Pick<Context, 'db'>,
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
  if (running) throw importRunning(id, dryRun)
}

/**
 * Starts a run: on the file of the request, or on the last one after changing the definition by the request. All of it
 * or nothing. Throws notFound, 400, conflict `import-running`, `no-file`, and what `storeFile` throws.
 */
export async function startRun(
  context: Context,
  place: ImportRef,
  given: { definition: ImportBody } | (SourceFile & { announced: number }),
): Promise<Execution> {
  const { db, clock } = context
  await requireIdle(context, place, { dryRun: false })
  const now = new Date(clock.now())
  if (!('definition' in given)) {
    return withFile(context, place, given, (directory, file) =>
      inTransaction(db, async (tx) => {
        await replaceSource(tx, directory, file, now)
        return startExecution(tx, place, now)
      }),
    )
  }
  return inTransaction(db, async (tx) => {
    if (Object.keys(given.definition).length > 0) await updateImport(tx, place, given.definition, context)
    return startExecution(tx, place, now)
  })
}
