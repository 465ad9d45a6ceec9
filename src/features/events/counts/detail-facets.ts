import { type RawBuilder, sql } from 'kysely'
import { emailChannelTraits } from '../../../channels/email/facts.ts'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import { RCS_CHANNEL } from '../kinds/event-kinds.ts'

/** Where other events of a message are looked up: it is young enough for all that matter to be here. */
const here: RawBuilder<unknown> = sql`events`

const said = (path: string): RawBuilder<unknown> => sql`e.parsed #>> ${sql.lit(`{${path}}`)}`

/**
 * What the first report of its kind says of a message sent on demand that was handed over: that it arrived, or was lost after all. Of
 * campaigns contacts tell, as each has one message of them.
 */
const arrival = (
  all: RawBuilder<unknown>,
) => sql`case when e.kind in ('bounces', 'deliveries') and ${said('activation,kind')} <> 'campaign'
    and (e.kind = 'deliveries' or (${said('bounce,status,type')} = 'async' and ${said('bounce,analysis,verdict')} = 'hard'))
    and not exists (
      select from ${all} b where b.account = e.account and b.stamp = e.stamp and b.kind = e.kind and (b.at, b.id) < (e.at, e.id)
        and (b.kind = 'deliveries' or (b.detail #>> '{bounce,status,type}' = 'async' and b.detail #>> '{bounce,analysis,verdict}' = 'hard')))
    and coalesce((select s.outcome from sent_messages s where s.account = e.account and s.stamp = e.stamp), case when exists (
        select from ${all} b where b.account = e.account and b.stamp = e.stamp and b.kind = 'bounces'
          and b.detail #>> '{bounce,status,type}' = 'sync') then 'refused' else 'accepted' end) = 'accepted'
  then json_build_array(case e.kind when 'deliveries' then 'arrived' else 'lost' end) end::text`

/** The same of an event that is not parsed. */
export const storedDetailText: typeof said = (path) => sql`e.detail #>> ${sql.lit(`{${path}}`)}`

/**
 * When the message of an event `e` was asked for, in milliseconds; of a reaction whose activation is gone, as its execution says. `said`
 * reads a path of the event's detail.
 */
export const requestedAtMs = (
  path: typeof said,
  all = here,
): RawBuilder<unknown> => sql`coalesce(${path('activation,stamp,time')}, ${path('execution,stamp,time')}, (
  select x.detail #>> '{execution,stamp,time}' from ${all} x
  where x.account = e.account and x.stamp = e.stamp and x.kind = 'executions' limit 1))::bigint`

/** Detail of an event `e`, which is parsed once, by facet. The fallback of a rich message may be cancelled after that was answered: it is no message of its own. */
const facetsOf = (all: RawBuilder<unknown>) => sql`
  values ('cancellation', case when e.kind = 'cancellations' and (e.channel <> ${RCS_CHANNEL} or not exists (
        select from ${all} a where a.account = e.account and a.stamp = e.stamp and a.kind = 'activations'))
      then json_build_array(${said('cancellation,type')}) end::text),
    ('bounce', case when e.kind = 'bounces' then json_build_array(
      case when e.channel = ${emailChannelTraits.name} then lower(split_part(${said('activation,recipient')}, '@', -1)) end,
      ${said('bounce,analysis,verdict')}, coalesce(${said('bounce,analysis,subject,detail,type')}, ${said('bounce,analysis,subject,type')}),
      ${said('bounce,status,type')}) end::text),
    ('arrival', ${arrival(all)}),
    ('link', case when e.kind in ('hits/redirection', 'interactions/redirection') then
      json_build_array(coalesce(${said('link,id')}, ${said('interaction,link,id')}, '0')) end::text),
    ('device', case when e.kind in ('hits/open', 'hits/redirection', 'interactions/redirection') and e.parsed -> 'link' is not null
        or e.kind = 'interactions/redirection'
      then json_build_array(coalesce(${said('hit,device,type')}, ${said('interaction,device,type')}, 'unknown'),
        coalesce(${said('hit,device,os')}, ${said('interaction,device,os')}),
        coalesce(${said('hit,device,client')}, ${said('interaction,device,client')})) end::text)`

/** Events of what is sent on demand: runs of notifications are reported of as such. `path`: reads one of the event's detail. */
const isOnDemand = (path: typeof said): RawBuilder<unknown> => sql`(e.subject is not null and e.kind <> 'cancellations'
  and (e.channel = ${pushChannelTraits.name} or ${path('activation,kind')} is distinct from 'campaign'))`

/**
 * What events of people say, a row for each event and facet: account, channel, subject, at, kind, contact, classification, asked, facet,
 * detail. `asked`: when the messages of what is sent on demand were asked for, in milliseconds. `events`: what stands behind "from", the
 * table being `e`, and its conditions; `all`: the table where other events of their messages are looked up. Proofs are left out.
 */
export function selectEventFacets(events: RawBuilder<unknown>, all = here): RawBuilder<unknown> {
  return sql`
    select e.account, e.channel, e.subject, e.at, e.kind, e.contact, e.classification,
      case when ${isOnDemand(said)} then ${requestedAtMs(said, all)} end as asked, f.facet, f.detail
    from (
      select e.account, e.channel, e.subject, e.at, e.id, e.kind, e.stamp, e.contact, e.classification, e.detail::jsonb as parsed
      from ${events} and not e.is_test and e.channel <> 'display' and e.classification is null
        and e.kind = any('{cancellations,bounces,deliveries,hits/open,hits/redirection,interactions/redirection}')
        and (e.kind = 'cancellations' or e.activation_at is not null) offset 0) e
      cross join lateral (${facetsOf(all)}) f (facet, detail)
    where f.detail is not null`
}

/** Events of what is sent on demand, as rows like those of `selectEventFacets` that say nothing but their kind; those of robots among them. */
export function selectRequestedEvents(events: RawBuilder<unknown>, all = here): RawBuilder<unknown> {
  return sql`
    select e.account, e.channel, e.subject, e.at, e.kind, e.contact, e.classification, ${requestedAtMs(storedDetailText, all)} as asked, '' as facet, '' as detail
    from ${events} and not e.is_test and e.channel <> 'display' and (e.kind = 'activations' or e.activation_at is not null) and ${isOnDemand(storedDetailText)}`
}

/**
 * The details of people's events by account, channel, subject, quarter, kind and facet: rows of `event_details`. `said`: rows as `selectEventFacets`
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
