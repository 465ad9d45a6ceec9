import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/problem.ts'
import { loadShape } from '../contacts/shape.ts'
import { NO_FILE } from './executions.ts'
import { readImport } from './imports.ts'
import { previewFile } from './preview.ts'
import type { Preview } from './preview-schemas.ts'
import { type ImportRef, type SourceFile, storeSent } from './source-files.ts'
import { NO_IMPORT, uploadPath } from './uploads.ts'

/** What the last file of an import looks like. Throws notFound, 404 `no-file`, 410 `file-gone`. */
export async function previewSource({ db, config }: Context, { account, id }: ImportRef): Promise<Preview> {
  const { features, source } = await readImport(db, account, id)
  if (source.id === null) throw new Problem(404, 'no-file', NO_FILE[source.type])
  const { rows } = await sql<{ path: string; filename: string }>`
    select path, filename from import_uploads where id = ${source.id}`.execute(db)
  const [upload] = rows
  const path = join(uploadPath({ dataDir: config.dataDir, account, import: id }), upload?.path ?? '')
  if (!upload || !existsSync(path)) {
    throw new Problem(410, 'file-gone', 'The file of this import is no longer kept: upload it again.')
  }
  return previewFile({ path, name: upload.filename }, await loadShape(db, account), features)
}

/** What a file looks like that no import has yet; nothing of it is kept. Throws what `storeFile` throws. */
export async function previewSent(
  context: Context,
  account: AccountId,
  source: SourceFile & { announced: number },
): Promise<Preview> {
  const { db, config } = context
  const directory = { dataDir: config.dataDir, account, import: NO_IMPORT }
  const { path, filename } = await storeSent(context, directory, source)
  const stored = join(uploadPath(directory), path)
  try {
    // The name without the digits that uploads get.
    const name = filename.slice(path.length + 1)
    return await previewFile({ path: stored, name }, await loadShape(db, account), [])
  } finally {
    await rm(stored, { force: true })
  }
}
