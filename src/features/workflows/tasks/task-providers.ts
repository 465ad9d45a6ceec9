import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { parseCriteria } from '../../segments/criteria/criteria.ts'
import { loadMatchingContacts, loadSegmentAudience } from '../../segments/members/segment-audience.ts'
import type { TaskProvider, WorkflowTask } from './task-definitions.ts'
import { FIRING_BATCH_ROWS, type TaskFiring } from './task-firings.ts'

/** Request of a task to a compilable. */
export interface CompilableRowRequest {
  account: number
  /** Its uuid. */
  compilable: string
  arguments: Readonly<Record<string, unknown>>
  /** Rows at most; null: all that there can be. */
  limit: number | null
}

/** Source of the rows of compilables. Throws `TaskProviderFailure` for a compilable that returns no rows. */
export interface CompilableRows {
  read(db: Db, request: CompilableRowRequest): AsyncIterable<readonly Record<string, unknown>[]>
}

/** The provider of a task cannot give its rows. */
export class TaskProviderFailure extends Error {}

/** Reading who is in a large segment may take longer than other statements. */
const SEGMENT_READ_TIMEOUT_MS = 10 * 60_000

type MembersQuery = RawBuilder<{ contact: number }>

async function buildMembersQuery(
  tx: Db,
  account: number,
  provider: TaskProvider,
  now: number,
): Promise<MembersQuery | undefined> {
  if (provider.type === 'segment') {
    const segment = provider.value?.id as number
    const { rows } = await sql`select from segments where account = ${account} and id = ${segment}`.execute(tx)
    if (rows.length === 0) throw new TaskProviderFailure(`There is no segment ${segment}.`)
    return loadSegmentAudience(tx, account, { selected: [segment], excluded: [] }, now)
  }
  if (provider.type !== 'search') return undefined
  try {
    const { criteria } = await parseCriteria(tx, account, provider.value?.criteria, '')
    return await loadMatchingContacts(tx, account, criteria, now)
  } catch (error) {
    if (error instanceof Problem && error.status === 400) throw new TaskProviderFailure(error.message)
    throw error
  }
}

/** Stores contacts as batches, ascending; gives how many batches. */
async function storeContactBatches(tx: Db, { account, id, limit }: TaskFiring, members: MembersQuery): Promise<number> {
  await sql`select set_config('statement_timeout', ${String(SEGMENT_READ_TIMEOUT_MS)}, true)`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    with made as (
      insert into workflow_firing_batches (account, firing, nth, contacts)
      select ${account}, ${id}, nth, array_agg(contact order by contact) from (
        select contact, (row_number() over (order by contact) - 1) / ${FIRING_BATCH_ROWS} as nth from (${members}) m
        order by contact limit ${limit}::integer) numbered
      group by nth returning nth)
    select count(*)::integer as n from made`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Stores rows as batches, in their order; gives how many batches. */
async function storeRowBatches(
  tx: Db,
  { account, id }: TaskFiring,
  rows: AsyncIterable<readonly Record<string, unknown>[]>,
): Promise<number> {
  let [batchIndex, pendingRows]: [number, Record<string, unknown>[]] = [0, []]
  const storeBatch = async (batch: readonly Record<string, unknown>[]): Promise<void> => {
    if (batch.length === 0) return
    await sql`
      insert into workflow_firing_batches (account, firing, nth, rows)
      values (${account}, ${id}, ${batchIndex++}, ${toJsonbText(batch)}::jsonb)`.execute(tx)
  }
  for await (const rowChunk of rows) {
    pendingRows = pendingRows.concat(rowChunk)
    for (; pendingRows.length >= FIRING_BATCH_ROWS; pendingRows = pendingRows.slice(FIRING_BATCH_ROWS))
      await storeBatch(pendingRows.slice(0, FIRING_BATCH_ROWS))
  }
  await storeBatch(pendingRows)
  return batchIndex
}

async function* yieldSingleRow(): AsyncIterable<readonly Record<string, unknown>[]> {
  yield [{}]
}

/** Context of reading the rows of a firing. */
export interface FiringReadContext {
  firing: TaskFiring
  task: WorkflowTask
  /** The values of the arguments of a compilable. */
  arguments: Readonly<Record<string, unknown>>
  compilables: CompilableRows
  /** Milliseconds. */
  now: number
}

/** Reads the rows of a firing and stores them in batches; gives how many batches. Throws `TaskProviderFailure`. */
export async function storeFiringBatches(
  tx: Db,
  { firing, task, now, compilables, ...readContext }: FiringReadContext,
): Promise<number> {
  const { provider } = task
  const { account, limit } = firing
  const members = await buildMembersQuery(tx, account, provider, now)
  if (members) return storeContactBatches(tx, firing, members)
  if (provider.type !== 'compilable') return storeRowBatches(tx, firing, yieldSingleRow())
  const rowRequest = { account, compilable: provider.value?.id as string, arguments: readContext.arguments, limit }
  // The first row may come late.
  await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
  return storeRowBatches(tx, firing, compilables.read(tx, rowRequest))
}
