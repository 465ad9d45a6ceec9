import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import { resolveEventSource } from '../../events/kinds/listened-types.ts'
import { WORKFLOW_LISTENER_KIND } from '../definition/event-interests.ts'
import type { WaitCorrelation } from '../nodes/node-contract.ts'
import { WAIT_SEARCH_PAGE, type WaitSearch } from './wait-search.ts'

/** The wait of a search, and where in time it begins. */
interface WaitBeginning {
  n: number
  account: AccountId
  correlation: WaitCorrelation
  contact: number | null
  key: string | null
  runContact: number | null
  /** Milliseconds: the first instant of which an old event may be for it. */
  since: number
  /** Among events of this instant, only those after this one. */
  sinceEvent: string | null
  isLookedAt: boolean
}

async function loadBeginnings(tx: Db, searches: readonly WaitSearch[]): Promise<WaitBeginning[]> {
  const inputRows = searches.map(({ account, run, id, isGoal }, n) => ({ n, account, run, id, is_goal: isGoal }))
  const { rows } = await sql<WaitBeginning>`
    select g.n, g.account, w.correlation, w.contact, w.key, r.contact as "runContact", w.is_looked_at as "isLookedAt",
      floor(date_part('epoch', w.since_at) * 1000)::bigint + (w.since_snapshot is not null)::integer as since,
      case when w.since_snapshot is null and uuid_extract_timestamp(w.since_event) = w.since_at then w.since_event end as "sinceEvent"
    from jsonb_to_recordset(${toJsonbText(inputRows)}::jsonb) as g (n integer, account integer, run uuid, id text, is_goal boolean)
    join workflow_waits w on w.account = g.account and w.run = g.run and w.id = g.id and w.is_goal = g.is_goal
    join workflow_runs r on r.account = w.account and r.id = w.run`.execute(tx)
  return rows
}

/** Finds the publication time, in milliseconds, of the first event of each account that is still queued. */
async function findFirstQueuedTimes(tx: Db, accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>> {
  if (accounts.length === 0) return new Map()
  const { rows } = await sql<{ account: AccountId; at: number }>`
    select account, floor(date_part('epoch', min(uuid_extract_timestamp(event))) * 1000)::bigint as at from listener_queue
    where listener is null and kind = ${WORKFLOW_LISTENER_KIND} and account = any(${accounts}::integer[]) group by account`.execute(
    tx,
  )
  return new Map(rows.map(({ account, at }) => [account, at]))
}

/** Builds the subjects of a wait, one for each index by which its events are found. */
function buildEventSubjects(
  { correlation, contact, key, runContact }: WaitBeginning,
  { sends }: WaitSearch,
): Pick<EventReadScope, 'contacts' | 'stamps' | 'thread'>[] {
  if (correlation === 'none') return [{}]
  if (correlation === 'contact') return contact === null ? [] : [{ contacts: [contact] }]
  if (key === null) return []
  if (correlation === 'send') return [{ stamps: [key] }]
  return [{ stamps: [...sends, key] }, ...(runContact === null ? [] : [{ contacts: [runContact], thread: key }])]
}

/**
 * The older events, of before an instant in milliseconds, among which the next candidates of waits are. What was dispatched of a wait is not
 * looked for again, but what is still queued.
 */
export async function findOlderCandidates(
  tx: Db,
  searches: readonly WaitSearch[],
  until: number,
): Promise<EventReadScope[]> {
  const activeBeginnings = (await loadBeginnings(tx, searches)).filter(({ since }) => since < until)
  const searchedAccounts = activeBeginnings.filter(({ isLookedAt }) => isLookedAt).map(({ account }) => account)
  const queuedSince = await findFirstQueuedTimes(tx, [...new Set(searchedAccounts)])
  return activeBeginnings.flatMap((waitBeginning) => {
    const search = searches[waitBeginning.n]!
    const source = resolveEventSource(search.type)
    const oldest = waitBeginning.isLookedAt ? queuedSince.get(waitBeginning.account) : waitBeginning.since
    if (source.from !== 'events' || oldest === undefined) return []
    const { channels, kinds } = source
    const afterEvent = search.after?.event ?? waitBeginning.sinceEvent
    // Of those that may have been dispatched it is not known how many are left out.
    const pageOptions = waitBeginning.isLookedAt
      ? {}
      : { first: { sort: 'asc' as const, limit: WAIT_SEARCH_PAGE, after: afterEvent } }
    const timeBounds = { since: Math.max(waitBeginning.since, oldest), until: search.until ?? undefined }
    const commonScope = {
      account: waitBeginning.account,
      channels,
      kinds,
      ...timeBounds,
      isHuman: true as const,
      paths: [],
      ...pageOptions,
    }
    return buildEventSubjects(waitBeginning, search).map((about) => ({ ...commonScope, ...about }))
  })
}
