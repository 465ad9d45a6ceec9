import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import { resolveEventSource } from '../../events/kinds/listened-types.ts'
import { WORKFLOW_LISTENER_KIND } from '../definition/event-interests.ts'
import { findOlderCandidates } from './older-wait-candidates.ts'
import { WAIT_SEARCH_PAGE, type WaitCandidate, type WaitSearch } from './wait-search.ts'

/**
 * Builds the condition for a wait that was already searched. Events that were dispatched since then were matched at that time; the others
 * are still queued.
 */
function buildUndispatchedCondition(part: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(not w.is_looked_at or exists (
    select from listener_queue q
    where q.listener is null and q.kind = ${WORKFLOW_LISTENER_KIND} and q.part = listener_part(${part}) and q.account = w.account and q.event = ${id}))`
}

/** The next stored events that waits may be for, in order. Each search has those of its own type and correlation. */
export async function findWaitCandidates(tx: Db, searches: readonly WaitSearch[]): Promise<WaitCandidate[]> {
  const readOlderCandidates = (readDb: Db, until: number) => findOlderCandidates(readDb, searches, until)
  return withEventTable(
    tx,
    readOlderCandidates,
    async (readDb, events) => (await buildCandidatesQuery(searches, events).execute(readDb)).rows,
  )
}

/** The statement of `findWaitCandidates`. */
export function buildCandidatesQuery(
  searches: readonly WaitSearch[],
  events: RawBuilder<unknown> = sql`events`,
): RawBuilder<WaitCandidate> {
  const inputRows = searches.map(({ account, run, id, type, isGoal, until, after, sends }) => {
    const source = resolveEventSource(type)
    return {
      account,
      run,
      id,
      sends,
      is_goal: isGoal,
      until_at: until === null ? null : new Date(until),
      after_at: after?.at ?? null,
      after_id: after?.event ?? null,
      channels: source.from === 'events' ? source.channels : [],
      kinds: source.from === 'events' ? source.kinds : [],
      is_notice: source.from === 'notices',
    }
  })
  // Each branch has an index of its own; the conditions behind them are the same. Of old events it is not known any more who wrote them.
  const followsCondition = sql`(g.after_at is null or (e.at, e.id) > (g.after_at, g.after_id)) and (g.until_at is null or e.at < g.until_at)`
  const eventCondition = sql`e.account = w.account and e.at >= w.since_at - interval '20 seconds' and ${followsCondition}
    and e.channel = any(g.channels) and e.kind = any(g.kinds) and not e.is_test and e.classification is null
    and not exists (select from unsettled_hits u where u.event = e.id)
    and coalesce(workflow_is_behind(e.at, e.id, e.xmin, w.since_at, w.since_event, w.since_snapshot), e.at > w.since_at)
    and ${buildUndispatchedCondition(sql`e.contact, e.stamp, e.id`, sql`e.id`)}`
  // The time in an id gives where to begin in an index.
  const firstNoticeId = sql`(lpad(to_hex(floor(date_part('epoch', w.since_at - interval '20 seconds') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`
  const noticeCondition = sql`n.account = w.account and n.type = w.type and n.id >= ${firstNoticeId} and (g.after_at is null or n.id > g.after_id)
    and (g.until_at is null or uuid_extract_timestamp(n.id) < g.until_at)
    and workflow_is_behind(uuid_extract_timestamp(n.id), n.id, coalesce(n.writer::xid, n.xmin), w.since_at, w.since_event, w.since_snapshot)
    and ${buildUndispatchedCondition(sql`n.contact, (n.stamp ->> 'id')::uuid, n.id`, sql`n.id`)}`
  return sql<WaitCandidate>`
    with given as (
      select * from jsonb_to_recordset(${toJsonbText(inputRows)}::jsonb) as g (
        account integer, run uuid, id text, is_goal boolean, sends uuid[], until_at timestamptz, after_at timestamptz, after_id uuid,
        channels text[], kinds text[], is_notice boolean))
    select g.run, g.id as wait, found.id as event, found.at
    from given g join workflow_waits w on w.account = g.account and w.run = g.run and w.id = g.id and w.is_goal = g.is_goal
    cross join lateral (
      select * from (
        (select e.id, e.at from ${events} e where not g.is_notice and w.correlation = 'contact' and e.contact = w.contact and ${eventCondition}
         order by e.at, e.id limit ${WAIT_SEARCH_PAGE})
        union
        (select e.id, e.at from ${events} e where not g.is_notice and w.correlation in ('thread', 'send')
           and e.stamp = any(case w.correlation when 'send' then array[w.key] else g.sends || w.key end) and ${eventCondition}
         order by e.at, e.id limit ${WAIT_SEARCH_PAGE})
        union
        (select e.id, e.at from ${events} e join workflow_runs r on r.account = w.account and r.id = w.run
         where not g.is_notice and w.correlation = 'thread' and e.contact = r.contact and e.thread = w.key and ${eventCondition}
         order by e.at, e.id limit ${WAIT_SEARCH_PAGE})
        union
        (select e.id, e.at from ${events} e where not g.is_notice and w.correlation = 'none' and ${eventCondition}
         order by e.at, e.id limit ${WAIT_SEARCH_PAGE})
        union
        (select n.id, uuid_extract_timestamp(n.id) from notices n
         where g.is_notice and w.correlation = 'contact' and n.contact = w.contact and ${noticeCondition} order by n.id limit ${WAIT_SEARCH_PAGE})
        union
        (select n.id, uuid_extract_timestamp(n.id) from notices n
         where g.is_notice and (w.correlation = 'none' or w.correlation in ('thread', 'send')
             and (n.stamp ->> case w.correlation when 'send' then 'id' else 'thread' end)::uuid = w.key)
           and ${noticeCondition} order by n.id limit ${WAIT_SEARCH_PAGE})
      ) every_one order by at, id limit ${WAIT_SEARCH_PAGE}) found
    order by found.at, found.id`
}
