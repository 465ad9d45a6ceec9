import { type RawBuilder, sql } from 'kysely'
import { emailChannelTraits } from '../../../channels/email/traits.ts'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { RCS_CHANNEL } from '../kinds/event-kinds.ts'

/** Table of the other events of a message: the message is recent enough for all relevant ones to be in PostgreSQL. */
const localEvents: RawBuilder<unknown> = sql`events`

const readDetailPath = (path: string): RawBuilder<unknown> => sql`e.parsed #>> ${sql.lit(`{${path}}`)}`

/**
 * Result of the first report of its kind on a message sent on demand that was handed over: delivered, or lost after all. Campaigns are
 * counted by contact instead, because each contact has one message of them.
 */
const buildArrival = (
  lookupTable: RawBuilder<unknown>,
) => sql`case when e.kind in ('bounces', 'deliveries') and ${readDetailPath('activation,kind')} <> 'campaign'
    and (e.kind = 'deliveries' or (${readDetailPath('bounce,status,type')} = 'async' and ${readDetailPath('bounce,analysis,verdict')} = 'hard'))
    and not exists (
      select from ${lookupTable} b where b.account = e.account and b.stamp = e.stamp and b.kind = e.kind and (b.at, b.id) < (e.at, e.id)
        and (b.kind = 'deliveries' or (b.detail #>> '{bounce,status,type}' = 'async' and b.detail #>> '{bounce,analysis,verdict}' = 'hard')))
    and coalesce((select s.outcome from sent_messages s where s.account = e.account and s.stamp = e.stamp), case when exists (
        select from ${lookupTable} b where b.account = e.account and b.stamp = e.stamp and b.kind = 'bounces'
          and b.detail #>> '{bounce,status,type}' = 'sync') then 'refused' else 'accepted' end) = 'accepted'
  then json_build_array(case e.kind when 'deliveries' then 'arrived' else 'lost' end) end::text`

/** The same of an event that is not parsed. */
export const storedDetailText: typeof readDetailPath = (path) => sql`e.detail #>> ${sql.lit(`{${path}}`)}`

/**
 * Time the message of an event `e` was requested, in milliseconds; for a reaction whose activation is gone, the time its execution
 * records. `path` reads a path of the event's detail.
 */
export const requestedAtMs = (
  path: typeof readDetailPath,
  lookupTable = localEvents,
): RawBuilder<unknown> => sql`coalesce(${path('activation,stamp,time')}, ${path('execution,stamp,time')}, (
  select x.detail #>> '{execution,stamp,time}' from ${lookupTable} x
  where x.account = e.account and x.stamp = e.stamp and x.kind = 'executions' limit 1))::bigint`

/** Detail of an event `e`, which is parsed once, by facet. The fallback of a rich message may be cancelled after that was answered: it is no message of its own. */
const buildFacetRows = (lookupTable: RawBuilder<unknown>) => sql`
  values ('cancellation', case when e.kind = 'cancellations' and (e.channel <> ${RCS_CHANNEL} or not exists (
        select from ${lookupTable} a where a.account = e.account and a.stamp = e.stamp and a.kind = 'activations'))
      then json_build_array(${readDetailPath('cancellation,type')}) end::text),
    ('bounce', case when e.kind = 'bounces' then json_build_array(
      case when e.channel = ${emailChannelTraits.name} then lower(split_part(${readDetailPath('activation,recipient')}, '@', -1)) end,
      ${readDetailPath('bounce,analysis,verdict')}, coalesce(${readDetailPath('bounce,analysis,subject,detail,type')}, ${readDetailPath('bounce,analysis,subject,type')}),
      ${readDetailPath('bounce,status,type')}) end::text),
    ('arrival', ${buildArrival(lookupTable)}),
    ('link', case when e.kind in ('hits/redirection', 'interactions/redirection') then
      json_build_array(coalesce(${readDetailPath('link,id')}, ${readDetailPath('interaction,link,id')}, '0')) end::text),
    ('device', case when e.kind in ('hits/open', 'hits/redirection', 'interactions/redirection') and e.parsed -> 'link' is not null
        or e.kind = 'interactions/redirection'
      then json_build_array(coalesce(${readDetailPath('hit,device,type')}, ${readDetailPath('interaction,device,type')}, 'unknown'),
        coalesce(${readDetailPath('hit,device,os')}, ${readDetailPath('interaction,device,os')}),
        coalesce(${readDetailPath('hit,device,client')}, ${readDetailPath('interaction,device,client')})) end::text)`

/** Events of what is sent on demand: runs of notifications are reported of as such. `path`: reads one of the event's detail. */
const buildOnDemandCondition = (
  path: typeof readDetailPath,
): RawBuilder<unknown> => sql`(e.subject is not null and e.kind <> 'cancellations'
  and (e.channel = ${pushChannelTraits.name} or ${path('activation,kind')} is distinct from 'campaign'))`

/**
 * Selects the facets of events of people, one row per event and facet: account, channel, subject, at, kind, contact, classification,
 * asked, facet, detail. `asked`: time that messages sent on demand were requested, in milliseconds. `events`: the text after "from", with
 * the table as `e`, and its conditions; `lookupTable`: the table with the other events of their messages. Proofs are excluded.
 */
export function selectEventFacets(events: RawBuilder<unknown>, lookupTable = localEvents): RawBuilder<unknown> {
  return sql`
    select e.account, e.channel, e.subject, e.at, e.kind, e.contact, e.classification,
      case when ${buildOnDemandCondition(readDetailPath)} then ${requestedAtMs(readDetailPath, lookupTable)} end as asked, f.facet, f.detail
    from (
      select e.account, e.channel, e.subject, e.at, e.id, e.kind, e.stamp, e.contact, e.classification, e.detail::jsonb as parsed
      from ${events} and not e.is_test and e.channel <> 'display' and e.classification is null
        and e.kind = any('{cancellations,bounces,deliveries,hits/open,hits/redirection,interactions/redirection}')
        and (e.kind = 'cancellations' or e.activation_at is not null) offset 0) e
      cross join lateral (${buildFacetRows(lookupTable)}) f (facet, detail)
    where f.detail is not null`
}

/** Events of what is sent on demand, as rows like those of `selectEventFacets` that say nothing but their kind; those of robots among them. */
export function selectRequestedEvents(events: RawBuilder<unknown>, lookupTable = localEvents): RawBuilder<unknown> {
  return sql`
    select e.account, e.channel, e.subject, e.at, e.kind, e.contact, e.classification, ${requestedAtMs(storedDetailText, lookupTable)} as asked, '' as facet, '' as detail
    from ${events} and not e.is_test and e.channel <> 'display' and (e.kind = 'activations' or e.activation_at is not null) and ${buildOnDemandCondition(storedDetailText)}`
}

/**
 * The details of people's events by account, channel, subject, quarter, kind and facet: rows of `event_details`. `readDetailPath`: rows as `selectEventFacets`
 * makes them.
 */
export function selectDetailCounts(rows: RawBuilder<unknown>, since = 0): RawBuilder<unknown> {
  return sql`
    select account, channel, subject, start, kind, facet, detail, sum(humans)::integer as humans,
      coalesce(string_agg(substr(int8send(contact), 3), '' order by contact)
        filter (where contact is not null and facet in ('bounce', 'link')), '') as contacts
    from (
      select account, channel, subject, greatest(quarter_of(at), ${new Date(since)}) as start, kind, facet, detail, contact, count(*) as humans
      from (${rows}) e
      group by 1, 2, 3, 4, 5, 6, 7, 8) of_contact
    group by 1, 2, 3, 4, 5, 6, 7`
}
