import { type RawBuilder, sql } from 'kysely'
import { getChannelTraits } from '../../../channels/channel-traits.ts'
import { outboxMessageStatus } from '../../../sending/plan/sendings.ts'
import type { EventKind } from '../../events/kinds/event-kinds.ts'
import { isInReportPeriodSql, isReportEventSql, type ReportSubject } from './reported.ts'

/** States of a message. */
export const messageOutcomes = ['sent', 'refused', 'held', 'cancelled', 'postponed', 'deferred', 'waiting'] as const
export type MessageReportOutcome = (typeof messageOutcomes)[number]

const isSyncBounceSql = (events: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (
  select from ${events} b where b.account = e.account and b.stamp = e.stamp and b.kind = 'bounces'
    and b.detail #>> '{bounce,status,type}' = 'sync')`

/** Messages that came to their end: as the record of the message says, and past its retention as the events say. */
function selectEndedMessages(events: RawBuilder<unknown>, reported: ReportSubject): RawBuilder<unknown> {
  return sql`
    select distinct on (e.stamp) e.stamp, e.contact, coalesce(s.address, e.detail #>> '{activation,recipient}') as address, e.at,
      case coalesce(s.outcome, case when e.kind = 'cancellations' then 'cancelled' when ${isSyncBounceSql(events)} then 'refused' else 'accepted' end)
        when 'accepted' then 'sent' when 'refused' then 'refused' else 'cancelled' end as outcome,
      case when e.kind = 'cancellations' and coalesce(s.outcome, 'cancelled') = 'cancelled' then e.detail #>> '{cancellation,type}' end as detail
    from ${events} e left join sent_messages s on s.account = e.account and s.stamp = e.stamp
    where ${isReportEventSql(events, reported)} and e.kind in ('activations', 'cancellations') and s.outcome is distinct from 'held'
      and (s.stamp is not null or not exists (
        select from messages m where m.account = e.account and m.stamp = e.stamp and m.kind in ('message', 'campaign')))
    order by e.stamp, (e.kind = 'cancellations') = (coalesce(s.outcome, 'cancelled') = 'cancelled') desc, e.at`
}

/** Messages of the outbox, those that were dropped in doubt, and those of slices. */
function selectOpenMessages({ account, channel, sourceKind, source, period }: ReportSubject): RawBuilder<unknown> {
  const sourceCondition = sql`o.account = ${account} and o.source_kind = ${sourceKind} and o.source = ${source} and o.kind <> 'test'`
  return sql`
    select m.stamp, m.contact, coalesce(m.address, c.fields ->> v.address_field) as address,
      coalesce(m.held_at, m.stamp_time) as at, ${outboxMessageStatus} as outcome, m.last_reply as detail
    from sendings o join messages m on m.sending = o.id and m.kind in ('message', 'campaign')
      join content_versions v on v.id = m.version left join contacts c on c.account = m.account and c.id = m.contact
    where ${sourceCondition} and ${isInReportPeriodSql(sql`m.stamp_time`, period)}
    union all
    select s.stamp, s.contact, s.address, s.ended_at, 'held', null from sent_messages s
    where s.account = ${account} and s.source_kind = ${sourceKind} and s.source = ${source} and s.channel = ${channel}
      and s.kind in ('message', 'campaign') and s.outcome = 'held' and ${isInReportPeriodSql(sql`s.stamp_time`, period)}
      and s.ended_at >= (select min(o.created_at) from sendings o where ${sourceCondition})
    union all
    select n.stamp, n.contact, c.fields ->> v.address_field, o.created_at, 'waiting', null
    from sendings o join message_slices s on s.sending = o.id
      cross join lateral (
        select contact, slice_stamp(s.stamp_prefix, s.seed, place - 1) as stamp
        from unnest(s.contacts) with ordinality m (contact, place)) n
      join content_versions v on v.id = s.version left join contacts c on c.account = s.account and c.id = n.contact
    where ${sourceCondition} and ${isInReportPeriodSql(sql`o.created_at`, period)}
      and not exists (select from sent_messages t where t.account = s.account and t.stamp = n.stamp)
      and not exists (select from messages t where t.account = s.account and t.stamp = n.stamp and t.kind = 'campaign')`
}

/** Kinds of the events by which messages are listed. */
export const outcomeEventKinds: readonly EventKind[] = ['activations', 'cancellations', 'bounces', 'deliveries']

/** Every message of what is reported of, by the events that are given, as rows: stamp, contact, address, at, outcome, detail. Proofs and copies are none. */
export function messageOutcomeRowsSql(events: RawBuilder<unknown>, reported: ReportSubject): RawBuilder<unknown> {
  return sql`select * from (${selectEndedMessages(events, reported)}) ended union all (${selectOpenMessages(reported)})`
}

/** True if any event reports that messages arrive. */
export const hasArrivalEvents = ({ channel }: ReportSubject): boolean => getChannelTraits(channel).arrivals !== null

/** Condition: a sent message `o` counts as delivered, if any event reports arrivals. */
export function isDeliveredMessageSql(
  events: RawBuilder<unknown>,
  { account, channel }: ReportSubject,
): RawBuilder<unknown> {
  const ofMessage = sql`r.account = ${account} and r.stamp = o.stamp`
  const { arrivals } = getChannelTraits(channel)
  if (arrivals === 'bounces')
    return sql`not exists (select from ${events} r where ${ofMessage} and r.kind = 'bounces'
      and r.detail #>> '{bounce,status,type}' = 'async' and r.detail #>> '{bounce,analysis,verdict}' = 'hard')`
  return sql`exists (select from ${events} r where ${ofMessage} and r.kind = 'deliveries')`
}
