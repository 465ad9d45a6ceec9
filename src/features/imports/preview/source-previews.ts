import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import type { AccountId } from '../../../lib/account.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { loadContactShape } from '../../contacts/values/stored-shape.ts'
import { readImport } from '../definitions/imports.ts'
import { requireEncoding } from '../files/encoding.ts'
import { fileGoneProblem } from '../files/file-problems.ts'
import { MISSING_FILE_HINTS } from '../run/executions.ts'
import { type ImportRef, type ImportSourceFile, storeRequestFile } from '../upload/source-files.ts'
import {
  discardUpload,
  fetchLocalUpload,
  NO_IMPORT_ID,
  type UploadDirectory,
  uploadDirectoryPath,
} from '../upload/uploads.ts'
import { buildImportPreview } from './preview.ts'
import type { ImportPreviewQuery, ImportPreviewResult } from './preview-schemas.ts'

/** Works with an upload at a path of this machine; a copy that was fetched for it is removed, and what was unpacked. */
async function withLocalUpload<Result>(
  directory: UploadDirectory,
  path: string,
  work: (file: { path: string; scratch: string }) => Promise<Result>,
): Promise<Result> {
  // Named as uploads under way, so that those which a dead process leaves are swept.
  const [copyPath, scratchPath] = [buildPartPath(directory), buildPartPath(directory)]
  try {
    return await work({ path: await fetchLocalUpload(directory, path, copyPath), scratch: scratchPath })
  } finally {
    await rm(copyPath, { force: true })
    await rm(scratchPath, { recursive: true, force: true })
  }
}

function buildPartPath(directory: UploadDirectory): string {
  return join(uploadDirectoryPath(directory), `${randomBytes(5).toString('hex').toUpperCase()}.part`)
}

/** A preview of the last file of an import. Throws notFound, 400 for an unknown encoding, 404 `no-file`, 410 `file-gone`, 503 `file-elsewhere`. */
export async function previewImportSource(
  { db, config }: ServiceContext,
  { account, id }: ImportRef,
  previewQuery: ImportPreviewQuery,
): Promise<ImportPreviewResult> {
  if (previewQuery.encoding) requireEncoding(previewQuery.encoding, 'encoding')
  const { features, source } = await readImport(db, account, id)
  if (source.id === null) throw new Problem(404, 'no-file', MISSING_FILE_HINTS[source.type])
  const { rows } = await sql<{ path: string; filename: string }>`
    select path, filename from import_uploads where id = ${source.id}`.execute(db)
  const [upload] = rows
  if (!upload) throw fileGoneProblem()
  const shape = await loadContactShape(db, account)
  return withLocalUpload({ config, account, import: id }, upload.path, (file) =>
    buildImportPreview({ ...file, name: upload.filename }, shape, { kept: features, asked: previewQuery }),
  )
}

/** A preview of a file without an import; the file is not kept. Throws 400 for an unknown encoding, and as `storeUpload` does. */
export async function previewRequestFile(
  context: ServiceContext,
  account: AccountId,
  source: ImportSourceFile & { announced: number },
  previewQuery: ImportPreviewQuery,
): Promise<ImportPreviewResult> {
  if (previewQuery.encoding) requireEncoding(previewQuery.encoding, 'encoding')
  const { db, config } = context
  const directory = { config, account, import: NO_IMPORT_ID }
  const storedUpload = await storeRequestFile(context, directory, source)
  try {
    // The name without the digits that uploads get.
    const name = storedUpload.filename.slice(storedUpload.path.length + 1)
    const shape = await loadContactShape(db, account)
    return await withLocalUpload(directory, storedUpload.path, (file) =>
      buildImportPreview({ ...file, name }, shape, { kept: [], asked: previewQuery }),
    )
  } finally {
    await discardUpload(directory, storedUpload)
  }
}
