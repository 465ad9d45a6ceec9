import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { parseCriteria } from '../../segments/criteria/criteria.ts'
import { loadMatchingContacts, loadSegmentAudience } from '../../segments/members/audience.ts'
import { FIRING_BATCH_ROWS, type TaskFiring } from './firings.ts'
import type { TaskProvider, WorkflowTask } from './task-definitions.ts'

/** What a task asks of a compilable. */
export interface CompilableRowRequest {
  account: number
  /** Its uuid. */
  compilable: string
  arguments: Readonly<Record<string, unknown>>
  /** Rows at most; null: all that there can be. */
  limit: number | null
}

/** Where rows of compilables come from. Throws `TaskProviderFailure` for one that gives none. */
export interface CompilableRows {
  read(db: Db, request: CompilableRowRequest): AsyncIterable<readonly Record<string, unknown>[]>
}

/** The provider of a task cannot give its rows. */
export class TaskProviderFailure extends Error {}

/** Reading who is in a large segment may take longer than other statements. */
const TIMEOUT_MS = 10 * 60_000

type Members = RawBuilder<{ contact: number }>

async function membersOf(tx: Db, account: number, provider: TaskProvider, now: number): Promise<Members | undefined> {
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
async function storeContacts(tx: Db, { account, id, limit }: TaskFiring, members: Members): Promise<number> {
  await sql`select set_config('statement_timeout', ${String(TIMEOUT_MS)}, true)`.execute(tx)
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
async function storeRows(
  tx: Db,
  { account, id }: TaskFiring,
  rows: AsyncIterable<readonly Record<string, unknown>[]>,
): Promise<number> {
  let [nth, waiting]: [number, Record<string, unknown>[]] = [0, []]
  const store = async (batch: readonly Record<string, unknown>[]): Promise<void> => {
    if (batch.length === 0) return
    await sql`
      insert into workflow_firing_batches (account, firing, nth, rows)
      values (${account}, ${id}, ${nth++}, ${toJsonbText(batch)}::jsonb)`.execute(tx)
  }
  for await (const some of rows) {
    waiting = waiting.concat(some)
    for (; waiting.length >= FIRING_BATCH_ROWS; waiting = waiting.slice(FIRING_BATCH_ROWS))
      await store(waiting.slice(0, FIRING_BATCH_ROWS))
  }
  await store(waiting)
  return nth
}

async function* oneRow(): AsyncIterable<readonly Record<string, unknown>[]> {
  yield [{}]
}

/** What the rows of a firing are read with. */
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
  { firing, task, now, compilables, ...given }: FiringReadContext,
): Promise<number> {
  const { provider } = task
  const { account, limit } = firing
  const members = await membersOf(tx, account, provider, now)
  if (members) return storeContacts(tx, firing, members)
  if (provider.type !== 'compilable') return storeRows(tx, firing, oneRow())
  const asked = { account, compilable: provider.value?.id as string, arguments: given.arguments, limit }
  // The first row may come late.
  await sql`select set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
  return storeRows(tx, firing, compilables.read(tx, asked))
}
