import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import { resolveEventSource } from '../../events/kinds/listened-types.ts'
import { WORKFLOW_LISTENER_KIND } from '../definition/listening.ts'
import type { WaitCorrelation } from '../stepping/step.ts'
import { WAIT_SEARCH_PAGE, type WaitSearch } from './searches.ts'

/** The wait of a search, and where in time it begins. */
interface Begun {
  n: number
  account: AccountId
  correlation: WaitCorrelation
  contact: number | null
  key: string | null
  runContact: number | null
  /** Milliseconds: the first instant of which an old event may be for it. */
  since: number
  /** Of events of this instant those behind this one. */
  sinceEvent: string | null
  isLookedAt: boolean
}

async function beginnings(tx: Db, searches: readonly WaitSearch[]): Promise<Begun[]> {
  const given = searches.map(({ account, run, id, isGoal }, n) => ({ n, account, run, id, is_goal: isGoal }))
  const { rows } = await sql<Begun>`
    select g.n, g.account, w.correlation, w.contact, w.key, r.contact as "runContact", w.is_looked_at as "isLookedAt",
      floor(date_part('epoch', w.since_at) * 1000)::bigint + (w.since_snapshot is not null)::integer as since,
      case when w.since_snapshot is null and uuid_extract_timestamp(w.since_event) = w.since_at then w.since_event end as "sinceEvent"
    from jsonb_to_recordset(${toJsonbText(given)}::jsonb) as g (n integer, account integer, run uuid, id text, is_goal boolean)
    join workflow_waits w on w.account = g.account and w.run = g.run and w.id = g.id and w.is_goal = g.is_goal
    join workflow_runs r on r.account = w.account and r.id = w.run`.execute(tx)
  return rows
}

/** When the first event of each account was published that is still queued, in milliseconds. */
async function firstQueued(tx: Db, accounts: readonly AccountId[]): Promise<ReadonlyMap<AccountId, number>> {
  if (accounts.length === 0) return new Map()
  const { rows } = await sql<{ account: AccountId; at: number }>`
    select account, floor(date_part('epoch', min(uuid_extract_timestamp(event))) * 1000)::bigint as at from listener_queue
    where listener is null and kind = ${WORKFLOW_LISTENER_KIND} and account = any(${accounts}::integer[]) group by account`.execute(
    tx,
  )
  return new Map(rows.map(({ account, at }) => [account, at]))
}

/** What a wait is about, for each index by which its events are found. */
function aboutOf(
  { correlation, contact, key, runContact }: Begun,
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
  const begun = (await beginnings(tx, searches)).filter(({ since }) => since < until)
  const looked = begun.filter(({ isLookedAt }) => isLookedAt).map(({ account }) => account)
  const queued = await firstQueued(tx, [...new Set(looked)])
  return begun.flatMap((one) => {
    const search = searches[one.n]!
    const source = resolveEventSource(search.type)
    const oldest = one.isLookedAt ? queued.get(one.account) : one.since
    if (source.from !== 'events' || oldest === undefined) return []
    const { channels, kinds } = source
    const after = search.after?.event ?? one.sinceEvent
    // Of those that may have been dispatched it is not known how many are left out.
    const first = one.isLookedAt ? {} : { first: { sort: 'asc' as const, limit: WAIT_SEARCH_PAGE, after } }
    const times = { since: Math.max(one.since, oldest), until: search.until ?? undefined }
    const common = { account: one.account, channels, kinds, ...times, isHuman: true as const, paths: [], ...first }
    return aboutOf(one, search).map((about) => ({ ...common, ...about }))
  })
}
