import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { streamRows } from '../../../database/rows/stream.ts'
import { createGroupCommit, type GroupCommit } from '../../../lib/concurrency/group-commit.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import type { WebtaskKey } from '../stored.ts'
import type { WebtaskResult, WebtaskRun, WebtaskRunError } from './execution-schemas.ts'

/** Origin of a run. */
export type WebtaskRunOrigin = { type: 'api' | 'public' } | { type: 'workflow'; id: number }

/** Stored record of a run. */
export interface WebtaskRunRecord {
  webtask: WebtaskKey
  id: string
  /** Milliseconds. */
  at: number
  origin: WebtaskRunOrigin
  /** Contacts whose data it may contain. */
  contacts: readonly number[]
  outcome: 'success' | 'error'
  durationMs: number
  error: WebtaskRunError | null
  logs: WebtaskResult['logs']
}

/** True if a run with this error started: without a free slot or enough time, it does not start. */
export const hasRunStarted = ({ type, limit }: Pick<WebtaskRunError, 'type' | 'limit'>): boolean =>
  type !== 'busy' && limit !== 'budget'

export const WEBTASK_RUN_RETENTION_DAYS = 7
/** Runs of each outcome that are kept of a webtask, and listed at most. */
const MAX_RUNS_PER_OUTCOME = 1000
/** Webtasks that ran since then may have too many runs. */
const TRIM_WINDOW_MS = 10 * 60_000

/** An array of PostgreSQL in text: one of many in a parameter. */
export const formatBigintArray = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

/** Keeps what runs came to; of contacts that were erased meanwhile without what it says of them. */
export async function recordWebtaskRuns(tx: Db, runs: readonly WebtaskRunRecord[]): Promise<void> {
  const text = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await sql`
    insert into webtask_runs
      (account, webtask, id, at, origin, origin_id, contacts, outcome, duration_ms, error_type, error, logs)
    select r.account, r.webtask, r.id, r.at, r.origin, r.origin_id, r.contacts::bigint[], r.outcome, r.ms, r.error_type,
      case when not e.is_erased then r.error::json when r.error is not null then json_build_object('type', r.error_type) end,
      case when e.is_erased then '[]' else r.logs::json end
    from unnest(
      ${runs.map(({ webtask }) => webtask.account)}::integer[], ${runs.map(({ webtask }) => webtask.id)}::integer[],
      ${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ at }) => new Date(at))}::timestamptz[],
      ${runs.map(({ origin }) => origin.type)}::text[],
      ${runs.map(({ origin }) => (origin.type === 'workflow' ? origin.id : null))}::integer[],
      ${runs.map(({ contacts }) => formatBigintArray(contacts))}::text[], ${runs.map(({ outcome }) => outcome)}::text[],
      ${runs.map(({ durationMs }) => durationMs)}::integer[], ${runs.map(({ error }) => error?.type ?? null)}::text[],
      ${runs.map(({ error }) => text(error))}::text[], ${runs.map(({ logs }) => text(logs))}::text[])
      with ordinality as r (account, webtask, id, at, origin, origin_id, contacts, outcome, ms, error_type, error, logs, nth)
    cross join lateral (select exists (
      select from erased_contacts c where c.account = r.account and c.contact = any(r.contacts::bigint[])) as is_erased) e
    order by r.nth`.execute(tx)
}

/** Keeps runs that come by themselves, many at once. */
export type WebtaskRunRecorder = Pick<GroupCommit<WebtaskRunRecord, object>, 'add'>

const STORED_RESULT = {}

/** Opens the records of a process. */
export function openWebtaskRunRecorder(db: Db): WebtaskRunRecorder {
  const storeRuns = async (runs: WebtaskRunRecord[]): Promise<object[]> => {
    await recordWebtaskRuns(db, runs)
    return runs.map(() => STORED_RESULT)
  }
  return createGroupCommit(storeRuns, { most: 200, atOnce: 2 })
}

/** Filter of a list of runs. Times in milliseconds. */
export interface WebtaskRunFilter {
  start: number | undefined
  end: number | undefined
  outcome: 'success' | 'error' | undefined
}

/** Last position of a page of runs. */
export type WebtaskRunCursor = readonly [at: number, nth: number]

interface ListedRun {
  shown: WebtaskRun
  cursor: WebtaskRunCursor
}

interface RunRow extends Pick<WebtaskRun, 'id' | 'outcome' | 'error' | 'logs'> {
  nth: number
  at: Date
  origin: WebtaskRunOrigin['type']
  originId: number | null
  durationMs: number
}

/** The last 1,000 runs of a webtask in a week, the latest first. */
export async function* listWebtaskRuns(
  db: Db,
  { account, id }: WebtaskKey,
  { start, end, outcome, now }: WebtaskRunFilter & { now: number },
  { after, limit }: { after: WebtaskRunCursor | undefined; limit: number | undefined },
): AsyncGenerator<ListedRun> {
  const since = Math.max(start ?? 0, now - WEBTASK_RUN_RETENTION_DAYS * DAY_MS)
  const query = sql<RunRow>`
    with last as materialized (
      select nth, at from webtask_runs
      where account = ${account} and webtask = ${id} and outcome = any(${outcome ? [outcome] : ['success', 'error']}::text[])
        and at >= ${new Date(since)} and (${end === undefined ? null : new Date(end)}::timestamptz is null or at < ${end === undefined ? null : new Date(end)})
      order by at desc, nth desc limit ${MAX_RUNS_PER_OUTCOME})
    select r.nth, r.id, r.at, r.origin, r.origin_id as "originId", r.outcome, r.duration_ms as "durationMs", r.error, r.logs
    from last l join webtask_runs r on r.nth = l.nth
    where ${after ? sql`(l.at, l.nth) < (${new Date(after[0])}, ${after[1]}::bigint)` : sql`true`}
    order by l.at desc, l.nth desc limit ${limit ?? null}::integer`
  for await (const { nth: sequence, at, origin, originId, id: run, durationMs, error, logs, ...row } of streamRows(
    db,
    query,
  )) {
    const webtaskRun: WebtaskRun = {
      id: run,
      date: at.toISOString(),
      outcome: row.outcome,
      durationMs,
      error,
      logs,
      origin: { type: origin, ...(originId !== null && { id: originId }) },
    }
    yield { shown: webtaskRun, cursor: [at.getTime(), sequence] }
  }
}

/** Reads the place where a page begins; undefined for anything else. */
export function parseWebtaskRunCursor(value: unknown): WebtaskRunCursor | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const [at, nth] = value
  return Number.isSafeInteger(at) && Number.isSafeInteger(nth) ? [at, nth] : undefined
}

/** Deletes all but the last runs of each outcome, of webtasks that ran lately. */
export async function trimWebtaskRuns(db: Db, now: number): Promise<void> {
  await sql`
    with ran as (
      select distinct account, webtask, outcome from webtask_runs where at >= ${new Date(now - TRIM_WINDOW_MS)}),
    kept as (
      select ran.*, last.at, last.nth from ran cross join lateral (
        select at, nth from webtask_runs r
        where r.account = ran.account and r.webtask = ran.webtask and r.outcome = ran.outcome
        order by at desc, nth desc offset ${MAX_RUNS_PER_OUTCOME - 1} limit 1) last)
    delete from webtask_runs r using kept k
    where r.account = k.account and r.webtask = k.webtask and r.outcome = k.outcome and (r.at, r.nth) < (k.at, k.nth)`.execute(
    db,
  )
}
