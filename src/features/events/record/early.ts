import { type RawBuilder, sql } from 'kysely'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { answerableActivations } from './every-activation.ts'

/** A message is given up after four days: an activation that is not there by then never comes. */
export const EARLY_REACTION_WAIT_DAYS = 5
/** Condition: what became of a message itself, and so has its depth. The other reactions are a person's doing. */
export const isMessageOutcome = (kind: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${kind} in ('bounces', 'deliveries')`

export const EARLY_REACTION_WAIT_SQL = sql`interval '${sql.lit(EARLY_REACTION_WAIT_DAYS)} days'`

const MAX_REACTIONS = 1000
/** The longest time between two searches for an activation. */
const MAX_SEARCH_INTERVAL = sql`interval '10 minutes'`

/** Condition: reactions are to be joined to their activations. */
export const hasDueEarlyReaction = sql`exists (select from early_reactions where next_at < clock_timestamp())`

/** That a device opted out of a channel, which was not known before its activation was. */
export interface AdoptedOptout {
  account: AccountId
  subscription: string
  /** Null: the app's own default. */
  channel: string | null
  at: Date
}

/**
 * Joins reactions that were stored before their activation to it: the sender records an outcome up to a second after the
 * hand-over, and long after it when it died in between. A missing activation is searched again at growing intervals.
 * Gives opt-outs whose channel is known now.
 */
export async function adoptEarlyReactions(db: Db): Promise<AdoptedOptout[]> {
  const { rows } = await sql<AdoptedOptout>`${buildPreparedPrefix('adopt-early')}
    with due as materialized (
      select * from early_reactions where next_at < clock_timestamp()
      order by next_at limit ${MAX_REACTIONS} for update skip locked),
    found as materialized (
      select d.event, d.at, a.*, case when d.hit_at < a.activation_at + make_interval(secs => d.early_ms / 1000.0) then d.early_class end as class
      from due d cross join lateral (
        select at as activation_at, subject, contact, thread, phone, agent, is_test, depth, activation
        from ${answerableActivations} e
        where e.account = d.account and e.stamp = d.stamp and e.at > d.at - ${EARLY_REACTION_WAIT_SQL}
          and e.subscription is not distinct from coalesce(d.subscription, e.subscription)
        order by e.at limit 1) a),
    joined as (
      update events e set activation_at = f.activation_at, subject = coalesce(e.subject, f.subject),
        contact = coalesce(e.contact, f.contact), thread = coalesce(e.thread, f.thread), phone = coalesce(e.phone, f.phone),
        agent = coalesce(e.agent, f.agent), is_test = e.is_test or f.is_test,
        depth = case when ${isMessageOutcome(sql`e.kind`)} then f.depth else e.depth end, classification = coalesce(e.classification, f.class),
        detail = (with whole as (select jsonb_set(case
            when e.kind = 'optouts' and e.detail #>> '{optout,type}' = 'channel'
              then jsonb_set(e.detail::jsonb, '{optout,value}', coalesce(f.activation::jsonb -> 'channel', 'null'))
            when e.kind = 'hits/redirection' and e.channel = ${sql.lit(pushChannelTraits.name)}
              then jsonb_set(e.detail::jsonb, '{link,url}', coalesce(f.activation::jsonb -> 'redirection', 'null'))
            else e.detail::jsonb end, '{activation}', f.activation::jsonb) as detail)
          select case when e.classification is null and f.class is not null
            then jsonb_set(detail, array[case when e.kind like 'hits/%' then 'hit' else 'interaction' end, 'classification'], to_jsonb(f.class))
            else detail end from whole)::json
      from found f where e.id = f.event and e.at = f.at
      returning e.account, e.subscription, e.at, e.kind, e.is_test, e.detail),
    settling as (
      update unsettled_hits u set classification = coalesce(u.classification, f.class),
        contact = case when not f.is_test then f.contact end, field = (f.activation ->> 'field')::integer
      from found f where u.event = f.event),
    postponed as (
      update early_reactions r set next_at = clock_timestamp() + least(clock_timestamp() - r.at, ${MAX_SEARCH_INTERVAL})
      from due d where r.event = d.event and d.event not in (select event from found) and r.at > now() - ${EARLY_REACTION_WAIT_SQL}),
    forgotten as (
      delete from early_reactions r using due d
      where r.event = d.event and (d.event in (select event from found) or d.at <= now() - ${EARLY_REACTION_WAIT_SQL}))
    select account, subscription, detail #>> '{optout,value}' as channel, at from joined
    where kind = 'optouts' and not is_test and subscription is not null and detail #>> '{optout,type}' = 'channel'
    order by at`.execute(db)
  return rows
}

/** Has activations searched for again that wait for longer than they do. By the clock of the database. */
export async function makeEarlyReactionsDue(db: Db): Promise<void> {
  await sql`
    update early_reactions set next_at = clock_timestamp()
    where next_at > clock_timestamp() + least(greatest(next_at - at, interval '0'), ${MAX_SEARCH_INTERVAL})`.execute(db)
}
