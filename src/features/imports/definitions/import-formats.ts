import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import type { AccountId, LockedObject } from '../../../lib/account.ts'
import {
  badRequestProblem,
  conflictProblem,
  invalidRequestProblem,
  notFoundProblem,
  type ProblemFault,
} from '../../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import { parseResourceName } from '../../../lib/text/names.ts'
import { requireEncoding } from '../files/encoding.ts'
import { type ImportFormatBody, type ImportFormatResponse, UNREAD_FIELD_ID } from './import-format-schemas.ts'

const MAX_NAME_LENGTH = 100
const MAX_LINKS = 100
/** Line feed, carriage return, quote. */
const EXCLUDED_SEPARATORS = [10, 13, 34]

type FormatBinds = ImportFormatResponse['binds']

const formatDocument = sql<ImportFormatResponse>`json_strip_nulls(json_build_object(
  'identifier', json_build_object('guid', f.id), 'name', f.name, 'separator', f.separator, 'startAt', f.start_at,
  'binds', coalesce((
    select json_agg(json_build_object('columnIndex', b.column_index, 'fieldId', coalesce(b.field, ${UNREAD_FIELD_ID}),
      'decimalMark', b.decimal_mark, 'dateUnit', b.date_unit) order by b.position)
    from import_format_binds b where b.format = f.id), '[]'),
  'savedImportFormat', f.is_saved, 'encoding', f.encoding, 'sheet', f.sheet,
  'dateOrder', f.date_order))`

/** The saved formats, ascending id. */
export async function* listImportFormats(
  db: Db,
  account: AccountId,
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ImportFormatResponse> {
  const query = sql<{ format: ImportFormatResponse }>`
    select ${formatDocument} as format from import_formats f
    where f.account = ${account} and f.is_saved and f.id > ${after ?? 0} order by f.id limit ${limit ?? null}::integer`
  for await (const { format } of streamRows(db, query)) yield format
}

/** One format, saved or not. Throws notFound. */
export async function readImportFormat(db: Db, account: AccountId, id: number): Promise<ImportFormatResponse> {
  const matchingFormats = await sql<{ format: ImportFormatResponse }>`
    select ${formatDocument} as format from import_formats f where f.account = ${account} and f.id = ${id}`.execute(db)
  const [row] = matchingFormats.rows
  if (!row) throw notFoundProblem('import format', id)
  return row.format
}

/** Makes a format. Throws 400, conflict `name-taken`. */
export async function createImportFormat(
  db: Db,
  account: AccountId,
  body: ImportFormatBody,
): Promise<ImportFormatResponse> {
  const name = parseResourceName(body.name, MAX_NAME_LENGTH)
  if (!body.binds) throw badRequestProblem('/binds', 'is required: the columns and the fields that they fill')
  return inTransaction(db, async (tx) => {
    const { id } = await mapConstraintErrors(
      tx
        .insertInto('import_formats')
        .values({ account, name, name_folded: foldUnicodeCase(name), ...buildFormatColumns(body) })
        .returning('id')
        .executeTakeFirstOrThrow(),
      { unique: mapNameConflict(name) },
    )
    await replaceFormatBinds(tx, account, id, body.binds ?? [])
    return readImportFormat(tx, account, id)
  })
}

/** Changes the members given of a locked format. Throws 400, conflict `name-taken`. */
export async function updateImportFormat(
  tx: Db,
  { account, id }: LockedObject<number, ImportFormatResponse>,
  body: ImportFormatBody,
): Promise<ImportFormatResponse> {
  const name = body.name === undefined ? undefined : parseResourceName(body.name, MAX_NAME_LENGTH)
  const changes = {
    ...(name !== undefined && { name, name_folded: foldUnicodeCase(name) }),
    ...buildFormatColumns(body),
  }
  if (Object.keys(changes).length > 0) {
    const update = tx.updateTable('import_formats').set(changes).where('account', '=', account).where('id', '=', id)
    await mapConstraintErrors(update.execute(), { unique: mapNameConflict(name) })
  }
  if (body.binds) await replaceFormatBinds(tx, account, id, body.binds)
  return readImportFormat(tx, account, id)
}

/** Deletes a locked format. Throws conflict `format-linked` with `links` to the imports that use it. */
export async function deleteImportFormat(
  tx: Db,
  { account, id }: LockedObject<number, ImportFormatResponse>,
): Promise<void> {
  const importLinks = await sql<{ type: 'import'; id: number; name: string }>`
    select 'import' as type, id, name from imports where account = ${account} and binding = ${id}
    order by id limit ${MAX_LINKS}`.execute(tx)
  if (importLinks.rows.length > 0) {
    const detail = `An import uses the import format ${id}. Set another import format in that import first.`
    throw conflictProblem('format-linked', detail, { links: importLinks.rows })
  }
  await tx.deleteFrom('import_formats').where('account', '=', account).where('id', '=', id).execute()
}

/** Locks a format until the transaction ends and loads it. Throws notFound. */
export async function lockImportFormat(tx: Db, account: AccountId, id: number): Promise<ImportFormatResponse> {
  const query = tx.selectFrom('import_formats').select('id').where('account', '=', account).where('id', '=', id)
  await query.forUpdate().execute()
  return readImportFormat(tx, account, id)
}

function mapNameConflict(name: string | undefined) {
  return () => conflictProblem('name-taken', `Another import format is called "${name}".`)
}

/** The columns that members given by a request set; null brings back a default. Throws 400. */
function buildFormatColumns({ separator, startAt, savedImportFormat, encoding, sheet, dateOrder }: ImportFormatBody) {
  if (separator && EXCLUDED_SEPARATORS.includes(separator)) {
    throw badRequestProblem('/separator', 'must not be the code of a quote or a line break')
  }
  if (encoding) requireEncoding(encoding, '/encoding')
  return {
    ...(separator !== undefined && { separator: separator ?? 0 }),
    ...(startAt !== undefined && { start_at: startAt ?? 1 }),
    ...(savedImportFormat !== undefined && { is_saved: savedImportFormat ?? true }),
    ...(encoding !== undefined && { encoding }),
    ...(sheet !== undefined && { sheet: sheet || null }),
    ...(dateOrder !== undefined && { date_order: dateOrder }),
  }
}

/** Throws 400 for a repeated column or field, and for an unknown field. */
async function replaceFormatBinds(tx: Db, account: AccountId, format: number, binds: FormatBinds): Promise<void> {
  requireDistinctBinds(binds)
  const boundFields = binds.map(({ fieldId }) => (fieldId === UNREAD_FIELD_ID ? null : fieldId))
  const storedFields = await sql<{ id: number }>`
    select id from fields where account = ${account} and id = any(${boundFields}::integer[])`.execute(tx)
  const storedIds = new Set(storedFields.rows.map(({ id }) => id))
  const unknownFieldFaults = boundFields.flatMap((field, index): ProblemFault[] =>
    field === null || storedIds.has(field)
      ? []
      : [{ pointer: `/binds/${index}/fieldId`, detail: `there is no field ${field}` }],
  )
  if (unknownFieldFaults.length > 0) throw invalidRequestProblem(unknownFieldFaults)
  await tx.deleteFrom('import_format_binds').where('format', '=', format).execute()
  await sql`
    insert into import_format_binds (account, format, position, column_index, field, decimal_mark, date_unit)
    select ${account}, ${format}, b.position, b.column_index, b.field, b.decimal_mark, b.date_unit
    from unnest(${binds.map(({ columnIndex }) => columnIndex)}::integer[], ${boundFields}::integer[],
      ${binds.map(({ decimalMark }) => decimalMark ?? null)}::text[], ${binds.map(({ dateUnit }) => dateUnit ?? null)}::text[])
      with ordinality as b(column_index, field, decimal_mark, date_unit, position)`.execute(tx)
}

function requireDistinctBinds(binds: FormatBinds): void {
  const findRepeatedBinds = (member: 'columnIndex' | 'fieldId'): ProblemFault[] =>
    binds.flatMap((bind, index) =>
      bind[member] !== UNREAD_FIELD_ID && binds.findIndex((earlierBind) => earlierBind[member] === bind[member]) < index
        ? [{ pointer: `/binds/${index}/${member}`, detail: `${bind[member]} is listed twice` }]
        : [],
    )
  const faults = [...findRepeatedBinds('columnIndex'), ...findRepeatedBinds('fieldId')]
  if (faults.length > 0) throw invalidRequestProblem(faults)
}
