import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../../database/errors.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatCsvCell } from '../../../lib/files/csv-cell.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../audit/record-audit.ts'
import { readImportFormat } from '../definitions/import-formats.ts'
import type { ImportExecution, ImportExecutionContent } from '../definitions/import-schemas.ts'
import { lockImport, readImport } from '../definitions/imports.ts'
import { importRunningProblem } from '../files/file-problems.ts'

/** Interval in milliseconds at which the end of a run is polled for. */
export const IMPORT_END_POLL_MS = 100

interface ExecutionRow {
  id: number
  import: number
  started_at: Date
  ended_at: Date | null
  state: number
  content: ImportExecutionContent
  bytes: number
  lines: number
  total: number
  created: number
  updated: number
  rejected: number
  duplicates: number
  skipped: number
  blocked: number
  warnings: string[]
  error: ImportExecution['error']
  dry_run: boolean
}

const executionColumns = sql`
  id, import, started_at, ended_at, state, content, bytes, lines, total, created, updated, rejected, duplicates, skipped,
  blocked, warnings, error, dry_run`

function toImportExecution({
  id,
  import: of,
  started_at,
  ended_at,
  dry_run,
  bytes,
  lines,
  total,
  ...otherColumns
}: ExecutionRow): ImportExecution {
  return {
    id,
    import: of,
    startDate: started_at.toISOString(),
    endDate: ended_at?.toISOString() ?? null,
    dryRun: dry_run,
    progress: { bytes, lines, total },
    ...otherColumns,
    source: otherColumns.content.source,
  }
}

/** Instruction for a caller about an import without a file, by the type of its source. */
export const MISSING_FILE_HINTS = {
  file: 'The import has no file to read. Send one, or PUT it to its source.',
  ftp: 'The import has not pulled a file yet. Wait for the next scheduled pull, or send a file.',
} as const

/** An import of an account. */
interface ImportReference {
  account: AccountId
  id: number
}

/** Input of a run of an import, its file, and whether it writes. */
interface NewImportRun {
  content: ImportExecutionContent
  upload: number
  bytes: number
  dryRun: boolean
}

/** The input of a run of the current import. Throws notFound, conflict `no-file`. */
export async function readExecutionContent(
  tx: Db,
  { account, id }: ImportReference,
): Promise<Omit<NewImportRun, 'dryRun'>> {
  const { features, binding, source } = await readImport(tx, account, id)
  const upload = await tx
    .selectFrom('import_uploads')
    .select(['id', 'bytes', 'has_header'])
    .where('id', '=', source.id ?? 0)
    .executeTakeFirst()
  if (!upload) throw conflictProblem('no-file', MISSING_FILE_HINTS[source.type])
  const { id: uploadId, bytes, has_header: hasHeader } = upload
  const bindings = binding !== null && !hasHeader ? await readImportFormat(tx, account, binding) : null
  // The first line of a file made of maps names the fields, whatever other files look like.
  const usedFeatures = hasHeader ? features.filter(({ type }) => type !== 'columns') : features
  return { content: { features: usedFeatures, bindings, source }, upload: uploadId, bytes }
}

/** Queues a run, which begins when the transaction commits. Throws conflict `import-running`. */
export async function insertImportExecution(
  tx: Db,
  { account, id }: ImportReference,
  { content, upload, bytes, dryRun }: NewImportRun,
  now: Date,
): Promise<ImportExecution> {
  const newExecution = { account, import: id, started_at: now, content: toJsonbText(content) }
  const values = { ...newExecution, upload, total: bytes, dry_run: dryRun }
  const inserted = await mapConstraintErrors(
    tx.insertInto('import_executions').values(values).returning('id').executeTakeFirstOrThrow(),
    { import_executions_running: () => importRunningProblem(id, dryRun) },
  )
  await enqueueImportRun(tx, inserted.id)
  return readImportExecution(tx, { account, id }, inserted.id)
}

/**
 * Queues a run of an import on its last file, with its present definition. The run begins when the caller's
 * transaction commits. Throws notFound, conflict `import-running`, `no-file`.
 */
export async function startImportExecution(db: Db, place: ImportReference, now: Date): Promise<ImportExecution> {
  return inTransaction(db, async (tx) => {
    await lockImport(tx, place.account, place.id)
    return insertImportExecution(tx, place, { ...(await readExecutionContent(tx, place)), dryRun: false }, now)
  })
}

/** As `startImportExecution`, by a scheduler: recorded as an act of the service. */
export async function startScheduledImport(
  tx: Db,
  place: { account: AccountId; id: number },
  now: Date,
): Promise<ImportExecution> {
  const { account, id } = place
  const execution = await startImportExecution(tx, place, now)
  const { name } = await readImport(tx, account, id)
  await recordAudit(tx, {
    account,
    at: now,
    actor: SYSTEM_ACTOR,
    origin: null,
    operation: 'imports.start',
    object: { type: 'import', id: String(id), name },
    changes: { '/execution': [null, execution.id] },
  })
  return execution
}

/** Adds the job of an execution; a waiting one is replaced. */
export async function enqueueImportRun(db: Db, execution: number): Promise<void> {
  await enqueueTask(db, 'imports.run', { execution }, { key: `imports.run ${execution}` })
}

/**
 * Enqueues every unfinished run: those that waited for another of their account, and those whose process died. An active run is not
 * affected. Called when a run ends, and every minute.
 */
export async function enqueueUnfinishedRuns(db: Db, account?: AccountId): Promise<void> {
  let query = db.selectFrom('import_executions').select('id').where('state', '=', 0).orderBy('id')
  if (account !== undefined) query = query.where('account', '=', account)
  for (const { id } of await query.execute()) await enqueueImportRun(db, id)
}

/** Waits until an import does not have an active or queued run, at most `mostMs` milliseconds. */
export async function waitForIdleImport(db: Db, { account, id }: ImportReference, mostMs: number): Promise<void> {
  const activeRuns = db
    .selectFrom('import_executions')
    .select('id')
    .where('account', '=', account)
    .where('import', '=', id)
    .where('state', '=', 0)
  const deadline = performance.now() + mostMs
  while ((await activeRuns.executeTakeFirst()) && performance.now() < deadline) await delay(IMPORT_END_POLL_MS)
}

/** One execution of an import. Throws notFound. */
export async function readImportExecution(
  db: Db,
  { account, id }: ImportReference,
  execution: number,
): Promise<ImportExecution> {
  const { rows: matchingExecutions } = await sql<ExecutionRow>`
    select ${executionColumns} from import_executions
    where account = ${account} and import = ${id} and id = ${execution}`.execute(db)
  const [row] = matchingExecutions
  if (!row) throw notFoundProblem('execution', execution)
  return toImportExecution(row)
}

/** The runs of an import, or its dry runs, newest first. */
export async function* listImportExecutions(
  db: Db,
  { account, id, dryRun }: ImportReference & { dryRun: boolean },
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<ImportExecution> {
  const query = sql<ExecutionRow>`
    select ${executionColumns} from import_executions
    where account = ${account} and import = ${id} and dry_run = ${dryRun} and id < coalesce(${after ?? null}::integer, 2147483647)
    order by id desc limit ${limit ?? null}::integer`
  for await (const row of streamRows(db, query)) yield toImportExecution(row)
}

/** The state of an import's last run, which no dry run is. Throws notFound when there was none. */
export async function readLastImportState(db: Db, { account, id }: ImportReference): Promise<{ state: number }> {
  const row = await db
    .selectFrom('import_executions')
    .select('state')
    .where('account', '=', account)
    .where('import', '=', id)
    .where('dry_run', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFoundProblem('execution of import', id)
  return row
}

/** Asks a run to stop after its current batch. Throws notFound, conflict `execution-ended`. */
export async function cancelImportExecution(
  db: Db,
  { account, id }: ImportReference,
  execution: number,
): Promise<void> {
  const { state } = await readImportExecution(db, { account, id }, execution)
  const { numUpdatedRows } = await db
    .updateTable('import_executions')
    .set({ cancelled: true })
    .where('id', '=', execution)
    .where('state', '=', 0)
    .executeTakeFirstOrThrow()
  if (state !== 0 || numUpdatedRows === 0n)
    throw conflictProblem('execution-ended', `Execution ${execution} has ended.`)
  await enqueueImportRun(db, execution)
}

const CSV_HEADER = 'line;reason;column;content\n'

/** The rejects of an execution as a CSV file, one row per fault, in the order of the file; formulas are escaped. */
export async function* formatRejectsCsv(db: Db, execution: number): AsyncGenerator<string> {
  yield CSV_HEADER
  const query = sql<{ line: number; reason: string; column_name: string; content: string }>`
    select line, reason, column_name, content from import_rejects
    where execution = ${execution} order by ordinal, position`
  for await (const { line, reason, column_name, content } of streamRows(db, query)) {
    yield `${line};${reason};${formatCsvCell(column_name, ';')};${formatCsvCell(content, ';')}\n`
  }
}
