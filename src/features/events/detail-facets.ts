import { type RawBuilder, sql } from 'kysely'
import { email } from '../../channels/email/facts.ts'
import { RCS } from './kinds.ts'

const said = (path: string): RawBuilder<unknown> => sql`e.parsed #>> ${sql.lit(`{${path}}`)}`

/**
 * What the first report of its kind says of a message sent on demand that was handed over: that it arrived, or was lost after all. Of
 * campaigns contacts tell, as each has one message of them.
 */
const arrival = sql`case when e.kind in ('bounces', 'deliveries') and ${said('activation,kind')} <> 'campaign'
    and (e.kind = 'deliveries' or (${said('bounce,status,type')} = 'async' and ${said('bounce,analysis,verdict')} = 'hard'))
    and not exists (
      select from events b where b.account = e.account and b.stamp = e.stamp and b.kind = e.kind and (b.at, b.id) < (e.at, e.id)
        and (b.kind = 'deliveries' or (b.detail #>> '{bounce,status,type}' = 'async' and b.detail #>> '{bounce,analysis,verdict}' = 'hard')))
    and coalesce((select s.outcome from sent_messages s where s.account = e.account and s.stamp = e.stamp), case when exists (
        select from events b where b.account = e.account and b.stamp = e.stamp and b.kind = 'bounces'
          and b.detail #>> '{bounce,status,type}' = 'sync') then 'refused' else 'accepted' end) = 'accepted'
  then json_build_array(case e.kind when 'deliveries' then 'arrived' else 'lost' end) end::text`

/** Detail of an event `e`, which is parsed once, by facet. The fallback of a rich message may be cancelled after that was answered: it is no message of its own. */
const facets = sql`
  values ('cancellation', case when e.kind = 'cancellations' and (e.channel <> ${RCS} or not exists (
        select from events a where a.account = e.account and a.stamp = e.stamp and a.kind = 'activations'))
      then json_build_array(${said('cancellation,type')}) end::text),
    ('bounce', case when e.kind = 'bounces' then json_build_array(
      case when e.channel = ${email.name} then lower(split_part(${said('activation,recipient')}, '@', -1)) end,
      ${said('bounce,analysis,verdict')}, coalesce(${said('bounce,analysis,subject,detail,type')}, ${said('bounce,analysis,subject,type')}),
      ${said('bounce,status,type')}) end::text),
    ('arrival', ${arrival}),
    ('link', case when e.kind in ('hits/redirection', 'interactions/redirection') then
      json_build_array(coalesce(${said('link,id')}, ${said('interaction,link,id')}, '0')) end::text),
    ('device', case when e.kind in ('hits/open', 'hits/redirection', 'interactions/redirection') and e.parsed -> 'link' is not null
        or e.kind = 'interactions/redirection'
      then json_build_array(coalesce(${said('hit,device,type')}, ${said('interaction,device,type')}, 'unknown'),
        coalesce(${said('hit,device,os')}, ${said('interaction,device,os')}),
        coalesce(${said('hit,device,client')}, ${said('interaction,device,client')})) end::text)`

/**
 * The details of events by account, channel, subject, quarter, kind and facet: rows of `event_details`. `events`: what
 * stands behind "from", the table being `e`, and its conditions. Proofs and robots are left out.
 */
export function detailsOf(events: RawBuilder<unknown>, since = 0): RawBuilder<unknown> {
  return sql`
    select account, channel, subject, start, kind, facet, detail, sum(humans)::integer as humans,
      coalesce(string_agg(substr(int8send(contact), 3), '' order by contact)
        filter (where contact is not null and facet in ('bounce', 'link')), '') as contacts
    from (
      select e.account, e.channel, e.subject, greatest(quarter_of(e.at), ${new Date(since)}) as start, e.kind, f.facet, f.detail,
        e.contact, count(*) as humans
      from (select e.account, e.channel, e.subject, e.at, e.id, e.kind, e.stamp, e.contact, e.detail::jsonb as parsed from ${events} and not e.is_test and e.classification is null and e.channel <> 'display'
        and e.kind = any('{cancellations,bounces,deliveries,hits/open,hits/redirection,interactions/redirection}')
        and (e.kind = 'cancellations' or e.activation_at is not null) offset 0) e
        cross join lateral (${facets}) f (facet, detail)
      where f.detail is not null
      group by 1, 2, 3, 4, 5, 6, 7, 8) of_contact
    group by 1, 2, 3, 4, 5, 6, 7`
}
