import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, inTransaction, json } from '../../../database/connection/connect.ts'
import { refusing } from '../../../database/errors.ts'
import { rows } from '../../../database/rows/stream.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflict, notFound } from '../../../lib/errors/problem.ts'
import { csvCell } from '../../../lib/files/csv-cell.ts'
import { recordAudit, SYSTEM } from '../../audit/record.ts'
import { readImportFormat } from '../definitions/import-formats.ts'
import type { Execution, ExecutionContent } from '../definitions/import-schemas.ts'
import { lockImport, readImport } from '../definitions/imports.ts'
import { importRunning } from '../files/file-problems.ts'

/** How often the end of a run is polled for, in milliseconds. */
export const POLL_MS = 100

interface Row {
  id: number
  import: number
  started_at: Date
  ended_at: Date | null
  state: number
  content: ExecutionContent
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
  error: Execution['error']
  dry_run: boolean
}

const columns = sql`
  id, import, started_at, ended_at, state, content, bytes, lines, total, created, updated, rejected, duplicates, skipped,
  blocked, warnings, error, dry_run`

function show({ id, import: of, started_at, ended_at, dry_run, bytes, lines, total, ...rest }: Row): Execution {
  return {
    id,
    import: of,
    startDate: started_at.toISOString(),
    endDate: ended_at?.toISOString() ?? null,
    dryRun: dry_run,
    progress: { bytes, lines, total },
    ...rest,
    source: rest.content.source,
  }
}

/** What a caller is to do about an import without a file, by the type of its source. */
export const NO_FILE = {
  file: 'The import has no file to read: send one, or PUT it to its source.',
  ftp: 'The import has pulled no file yet: wait for the next tick of its scheduler, or send one.',
} as const

/** An import of an account. */
interface Place {
  account: AccountId
  id: number
}

/** What a run of an import works with, its file, and whether it writes. */
interface NewRun {
  content: ExecutionContent
  upload: number
  bytes: number
  dryRun: boolean
}

/** What a run of the import as it stands works with. Throws notFound, conflict `no-file`. */
export async function readRunContent(tx: Db, { account, id }: Place): Promise<Omit<NewRun, 'dryRun'>> {
  const { features, binding, source } = await readImport(tx, account, id)
  const upload = await tx
    .selectFrom('import_uploads')
    .select(['id', 'bytes', 'has_header'])
    .where('id', '=', source.id ?? 0)
    .executeTakeFirst()
  if (!upload) throw conflict('no-file', NO_FILE[source.type])
  const { id: uploadId, bytes, has_header: hasHeader } = upload
  const bindings = binding !== null && !hasHeader ? await readImportFormat(tx, account, binding) : null
  // The first line of a file made of maps names the fields, whatever other files look like.
  const used = hasHeader ? features.filter(({ type }) => type !== 'columns') : features
  return { content: { features: used, bindings, source }, upload: uploadId, bytes }
}

/** Queues a run, which begins when the transaction commits. Throws conflict `import-running`. */
export async function insertExecution(
  tx: Db,
  { account, id }: Place,
  { content, upload, bytes, dryRun }: NewRun,
  now: Date,
): Promise<Execution> {
  const start = { account, import: id, started_at: now, content: json(content) }
  const values = { ...start, upload, total: bytes, dry_run: dryRun }
  const inserted = await refusing(
    tx.insertInto('import_executions').values(values).returning('id').executeTakeFirstOrThrow(),
    { import_executions_running: () => importRunning(id, dryRun) },
  )
  await enqueueRun(tx, inserted.id)
  return readExecution(tx, { account, id }, inserted.id)
}

/**
 * Queues a run of an import on its last file, with its present definition. The run begins when the caller's
 * transaction commits. Throws notFound, conflict `import-running`, `no-file`.
 */
export async function startExecution(db: Db, place: Place, now: Date): Promise<Execution> {
  return inTransaction(db, async (tx) => {
    await lockImport(tx, place.account, place.id)
    return insertExecution(tx, place, { ...(await readRunContent(tx, place)), dryRun: false }, now)
  })
}

/** As startExecution, by a scheduler: it is told as an act of the service. */
export async function startBySchedule(
  tx: Db,
  place: { account: AccountId; id: number },
  now: Date,
): Promise<Execution> {
  const { account, id } = place
  const execution = await startExecution(tx, place, now)
  const { name } = await readImport(tx, account, id)
  await recordAudit(tx, {
    ...{ account, at: now, actor: SYSTEM, origin: null, operation: 'imports.start' },
    object: { type: 'import', id: String(id), name },
    changes: { '/execution': [null, execution.id] },
  })
  return execution
}

/** Adds the job of an execution; a waiting one is replaced. */
export async function enqueueRun(db: Db, execution: number): Promise<void> {
  await enqueue(db, 'imports.run', { execution }, { key: `imports.run ${execution}` })
}

/**
 * Enqueues every run that has not ended: those that waited for another of their account, and those whose process died.
 * A run under way is not affected. Called when a run ends, and every minute.
 */
export async function wakeRuns(db: Db, account?: AccountId): Promise<void> {
  let query = db.selectFrom('import_executions').select('id').where('state', '=', 0).orderBy('id')
  if (account !== undefined) query = query.where('account', '=', account)
  for (const { id } of await query.execute()) await enqueueRun(db, id)
}

/** Waits until an import has no run under way or queued, for so many milliseconds at most. */
export async function awaitIdle(db: Db, { account, id }: Place, mostMs: number): Promise<void> {
  const running = db
    .selectFrom('import_executions')
    .select('id')
    .where('account', '=', account)
    .where('import', '=', id)
    .where('state', '=', 0)
  const end = performance.now() + mostMs
  while ((await running.executeTakeFirst()) && performance.now() < end) await delay(POLL_MS)
}

/** One execution of an import. Throws notFound. */
export async function readExecution(db: Db, { account, id }: Place, execution: number): Promise<Execution> {
  const { rows: found } = await sql<Row>`
    select ${columns} from import_executions
    where account = ${account} and import = ${id} and id = ${execution}`.execute(db)
  const [row] = found
  if (!row) throw notFound('execution', execution)
  return show(row)
}

/** The runs of an import, or its dry runs, newest first. */
export async function* listExecutions(
  db: Db,
  { account, id, dryRun }: Place & { dryRun: boolean },
  { after, limit }: { after: number | undefined; limit: number | undefined },
): AsyncGenerator<Execution> {
  const query = sql<Row>`
    select ${columns} from import_executions
    where account = ${account} and import = ${id} and dry_run = ${dryRun} and id < coalesce(${after ?? null}::integer, 2147483647)
    order by id desc limit ${limit ?? null}::integer`
  for await (const row of rows(db, query)) yield show(row)
}

/** The state of an import's last run, which no dry run is. Throws notFound when there was none. */
export async function lastState(db: Db, { account, id }: Place): Promise<{ state: number }> {
  const row = await db
    .selectFrom('import_executions')
    .select('state')
    .where('account', '=', account)
    .where('import', '=', id)
    .where('dry_run', '=', false)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) throw notFound('execution of import', id)
  return row
}

/** Asks a run to stop after its current batch. Throws notFound, conflict `execution-ended`. */
export async function cancelExecution(db: Db, { account, id }: Place, execution: number): Promise<void> {
  const { state } = await readExecution(db, { account, id }, execution)
  const { numUpdatedRows } = await db
    .updateTable('import_executions')
    .set({ cancelled: true })
    .where('id', '=', execution)
    .where('state', '=', 0)
    .executeTakeFirstOrThrow()
  if (state !== 0 || numUpdatedRows === 0n) throw conflict('execution-ended', `Execution ${execution} has ended.`)
  await enqueueRun(db, execution)
}

const HEADER = 'line;reason;column;content\n'

/** The rejects of an execution as a CSV file, one row per fault, in the order of the file; formulas are escaped. */
export async function* listRejects(db: Db, execution: number): AsyncGenerator<string> {
  yield HEADER
  const query = sql<{ line: number; reason: string; column_name: string; content: string }>`
    select line, reason, column_name, content from import_rejects
    where execution = ${execution} order by ordinal, position`
  for await (const { line, reason, column_name, content } of rows(db, query)) {
    yield `${line};${reason};${csvCell(column_name, ';')};${csvCell(content, ';')}\n`
  }
}
