import { sql } from 'kysely'
import { buildPreparedPrefix, type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { createUuidV7 } from '../../../lib/ids.ts'
import { computeTimeSpanEnd, computeTimeSpanStart } from '../../../lib/time/spans.ts'
import { storeVersionCounts, type WorkflowVersionCount } from '../counts/version-counts.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import { MAX_WORKFLOW_DEPTH } from '../engine/run-limits.ts'
import { findFullAccounts, findStartedRuns, formatStartContact, lockStartContacts } from './start-checks.ts'

/** A run that is to be started. */
export interface RunStart {
  definition: ReadyDefinition
  contact: number | null
  /** Key for re-entry and concurrency; null if they are not checked; '' if the start is refused. */
  entryKey: string | null
  node: string
  type: 'execution' | 'listener' | 'task'
  /** Id of the listener or task. */
  source: string | null
  event: Record<string, unknown> | null
  data: Record<string, unknown>
  state: Record<string, unknown>
  variables: Record<string, unknown>
  depth: number
  /** The id wished for; null: one is made. */
  id: string | null
  /** A stamp id starts one run. */
  stamp: { id: string; thread: string; set: string; time: number }
  /** The event that the run's first wait looks behind; null: the start itself. */
  after: { id: string; timestamp: number } | null
  /** The zone of its contact. */
  zone: string
}

export type RunStartRefusal = 'concurrency' | 'never' | 'afterExit' | 'afterPeriod' | 'empty key' | 'recursion' | 'busy'

/** Result of a start: the new run, the run that its stamp started earlier, or the reason why there is none. */
export type RunStartResult =
  | { type: 'started'; id: string; isNew: boolean; contact: number | null }
  | { type: 'refused'; reason: RunStartRefusal }
  | { type: 'id used'; id: string }
  /** Its contact was deleted meanwhile. */
  | { type: 'no contact' }

/** Starts of one key until now. */
interface RunEntry {
  open: number
  lastStart: number | null
}

const formatEntryKey = ({ definition: { account, workflow }, entryKey }: RunStart): string =>
  JSON.stringify([account, workflow, entryKey])

/** The rows are locked one after the other, each by the index, also by a plan that was made when there were few. */
async function lockEntries(tx: Db, starts: readonly RunStart[]): Promise<Map<string, RunEntry>> {
  const startsByKey = new Map(
    starts.flatMap((start) => (start.entryKey ? [[formatEntryKey(start), start] as const] : [])),
  )
  const uniqueStarts = [...startsByKey.values()]
  if (uniqueStarts.length === 0) return new Map()
  const entryKeyRows = sql`unnest(
    ${uniqueStarts.map(({ definition }) => definition.account)}::integer[], ${uniqueStarts.map(({ definition }) => definition.workflow)}::integer[],
    ${uniqueStarts.map(({ entryKey }) => entryKey)}::text[]) as g (account, workflow, key)`
  await sql`${buildPreparedPrefix('make-workflow-entries')}
    insert into workflow_entries (account, workflow, key) select * from ${entryKeyRows} order by 1, 2, 3 on conflict do nothing`.execute(
    tx,
  )
  const { rows } = await sql<{
    account: number
    workflow: number
    key: string
    open: number
    last: Date | null
  }>`${buildPreparedPrefix('lock-workflow-entries')}
    select g.account, g.workflow, g.key, e.open, e.last_start as last from (select * from ${entryKeyRows} order by 1, 2, 3) g
    cross join lateral (
      select open, last_start from workflow_entries where account = g.account and workflow = g.workflow and key = g.key
      for no key update) e`.execute(tx)
  return new Map(
    rows.map(({ account, workflow, key, open: openCount, last }) => [
      JSON.stringify([account, workflow, key]),
      { open: openCount, lastStart: last?.getTime() ?? null },
    ]),
  )
}

/** Why a start is refused by what its key has started before. */
export function findStartRefusal(
  { definition: { settings }, depth, entryKey, zone }: Pick<RunStart, 'definition' | 'depth' | 'entryKey' | 'zone'>,
  entry: RunEntry | undefined,
  now: number,
): RunStartRefusal | undefined {
  if (depth > MAX_WORKFLOW_DEPTH) return 'recursion'
  if (entryKey === '') return 'empty key'
  if (!entry) return undefined
  const { mode, period } = settings.reentry
  if (mode === 'never' && entry.lastStart !== null) return 'never'
  if (mode === 'afterExit' && entry.open > 0) return 'afterExit'
  if (
    mode === 'afterPeriod' &&
    period &&
    entry.lastStart !== null &&
    entry.lastStart > computeTimeSpanStart(period, now, zone)
  )
    return 'afterPeriod'
  return entry.open >= settings.concurrency ? 'concurrency' : undefined
}

/** A start that is not refused. */
interface AcceptedStart {
  start: RunStart
  id: string
}

function buildRunRow({ start, id }: AcceptedStart, now: number): object {
  const {
    definition,
    contact,
    entryKey,
    node,
    type,
    source,
    event,
    data,
    state,
    variables,
    depth,
    stamp,
    after,
    zone,
  } = start
  return {
    account: definition.account,
    id,
    workflow: definition.workflow,
    version: definition.version,
    contact,
    entry_key: entryKey,
    node,
    data,
    state,
    variables,
    event,
    start_type: type,
    start_id: source,
    depth,
    stamp: stamp.id,
    stamp_time: new Date(stamp.time),
    thread: stamp.thread,
    set: stamp.set,
    after_at: after === null ? null : new Date(after.timestamp),
    after_id: after?.id ?? null,
    expires_at: new Date(computeTimeSpanEnd(definition.settings.maxDuration, now, zone)),
  }
}

async function insertRuns(tx: Db, acceptedStarts: readonly AcceptedStart[], now: number): Promise<void> {
  await sql`${buildPreparedPrefix('insert-workflow-runs')}
    with given as (
      select * from jsonb_to_recordset(${toJsonbText(acceptedStarts.map((acceptedStart) => buildRunRow(acceptedStart, now)))}::jsonb) as g (
        account integer, id uuid, workflow integer, version integer, contact bigint, entry_key text, node text, data jsonb, state jsonb,
        variables jsonb, event jsonb, start_type text, start_id text, depth smallint, stamp uuid, stamp_time timestamptz, thread uuid,
        set uuid, after_at timestamptz, after_id uuid, expires_at timestamptz)
    ), made as (
      insert into workflow_runs (account, id, workflow, version, contact, entry_key, status, node, phase, data, state, variables, event,
        start_type, start_id, depth, stamp, stamp_time, thread, set, mark_at, mark_event, mark_snapshot, expires_at, created_at, updated_at, kills)
      select account, id, workflow, version, contact, entry_key, 'running', node, 'enter', data, state, variables, event,
        start_type, start_id, depth, stamp, stamp_time, thread, set, coalesce(after_at, clock_timestamp()), after_id,
        case when after_at is null then pg_current_snapshot()::text || ' ' || pg_current_xact_id()::text end,
        expires_at, ${new Date(now)}, ${new Date(now)}, (select kills from workflows w where w.account = given.account and w.id = given.workflow)
      from given
      returning account, id
    )
    insert into workflow_timers (account, run, due) select account, id, ${new Date(now)} from made`.execute(tx)
}

/** Goals are waited for while a run is open. */
export async function registerRunGoals(
  tx: Db,
  runs: readonly { definition: ReadyDefinition; contact: number | null; id: string }[],
): Promise<void> {
  const goals = runs.flatMap(({ definition, contact, id }) =>
    contact === null ? [] : definition.goals.map((goal) => ({ definition, contact, run: id, goal })),
  )
  if (goals.length === 0) return
  await sql`
    insert into workflow_waits (account, run, id, is_goal, node, workflow, version, type, correlation, contact, since_at, since_event, since_snapshot)
    select g.account, g.run, g.goal, true, g.goal, g.workflow, g.version, g.type, 'contact', g.contact, r.mark_at, r.mark_event, r.mark_snapshot
    from unnest(
      ${goals.map(({ definition }) => definition.account)}::integer[], ${goals.map(({ run }) => run)}::uuid[], ${goals.map(({ goal }) => goal.id)}::text[],
      ${goals.map(({ definition }) => definition.workflow)}::integer[], ${goals.map(({ definition }) => definition.version)}::integer[],
      ${goals.map(({ goal }) => goal.filter.type)}::text[], ${goals.map(({ contact }) => contact)}::bigint[])
      as g (account, run, goal, workflow, version, type, contact)
    join workflow_runs r on r.account = g.account and r.id = g.run`.execute(tx)
}

async function countEntries(tx: Db, acceptedStarts: readonly AcceptedStart[], now: number): Promise<void> {
  const keyedStarts = acceptedStarts.filter(({ start }) => start.entryKey)
  if (keyedStarts.length === 0) return
  await sql`${buildPreparedPrefix('open-workflow-entries')}
    insert into workflow_entries as e (account, workflow, key, open, last_start)
    select account, workflow, key, count(*), ${new Date(now)}::timestamptz from unnest(
      ${keyedStarts.map(({ start }) => start.definition.account)}::integer[], ${keyedStarts.map(({ start }) => start.definition.workflow)}::integer[],
      ${keyedStarts.map(({ start }) => start.entryKey)}::text[]) as g (account, workflow, key)
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (account, workflow, key) do update set open = e.open + excluded.open, last_start = excluded.last_start`.execute(
    tx,
  )
}

function buildStartCounts(starts: readonly RunStart[], outcomes: readonly RunStartResult[]): WorkflowVersionCount[] {
  return starts.flatMap(
    ({ definition: { account, workflow, version }, type, source }, index): WorkflowVersionCount[] => {
      const outcome = outcomes[index]!
      const startCount = { account, workflow, version, n: 1 }
      const countSubject = type === 'execution' || source === null ? undefined : type
      if (outcome.type === 'refused')
        return [
          { ...startCount, subject: 'refused', id: '', name: outcome.reason },
          ...(countSubject
            ? [{ ...startCount, subject: countSubject, id: source!, name: 'refused' } as WorkflowVersionCount]
            : []),
        ]
      if (outcome.type !== 'started' || !outcome.isNew) return []
      return [
        { ...startCount, subject: 'run', id: '', name: 'started' },
        { ...startCount, subject: 'run', id: '', name: 'open' },
        ...(countSubject
          ? [{ ...startCount, subject: countSubject, id: source!, name: 'started' } as WorkflowVersionCount]
          : []),
      ]
    },
  )
}

/**
 * Starts runs in the caller's transaction, which keeps their workflows active. Each is stored, due at once, or refused by the rules
 * of its workflow; those of one key are decided in order, under a lock.
 */
export async function startRuns(tx: Db, starts: readonly RunStart[], now: number): Promise<RunStartResult[]> {
  if (starts.length === 0) return []
  const entries = await lockEntries(tx, starts)
  const { byStamp, ids } = await findStartedRuns(tx, starts)
  const fullAccounts = await findFullAccounts(tx, starts)
  const lockedContacts = await lockStartContacts(tx, starts)
  const acceptedStarts: AcceptedStart[] = []
  const outcomes = starts.map((start): RunStartResult => {
    const { account } = start.definition
    const earlierRunId = byStamp.get(`${account} ${start.stamp.id}`)
    if (earlierRunId) return { type: 'started', id: earlierRunId.id, isNew: false, contact: earlierRunId.contact }
    const id = start.id ?? createUuidV7(now)
    if (ids.has(`${account} ${id}`)) return { type: 'id used', id }
    if (start.contact !== null && !lockedContacts.has(formatStartContact(start))) return { type: 'no contact' }
    const entry = entries.get(formatEntryKey(start))
    const reason = findStartRefusal(start, entry, now) ?? (fullAccounts.has(account) ? 'busy' : undefined)
    if (reason) return { type: 'refused', reason }
    if (entry) {
      entry.open++
      entry.lastStart = now
    }
    byStamp.set(`${account} ${start.stamp.id}`, { id, contact: start.contact })
    ids.add(`${account} ${id}`)
    acceptedStarts.push({ start, id })
    return { type: 'started', id, isNew: true, contact: start.contact }
  })
  if (acceptedStarts.length > 0) {
    await insertRuns(tx, acceptedStarts, now)
    await registerRunGoals(
      tx,
      acceptedStarts.map(({ start: { definition, contact }, id }) => ({ definition, contact, id })),
    )
    await countEntries(tx, acceptedStarts, now)
  }
  await storeVersionCounts(tx, buildStartCounts(starts, outcomes), now)
  return outcomes
}
