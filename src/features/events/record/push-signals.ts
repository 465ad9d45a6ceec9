import { sql } from 'kysely'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { PushMessageToken, PushReportKind } from '../../../lib/crypto/push-tokens.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { parseUserAgent } from '../hits/device.ts'
import type { PendingHitRequest } from '../hits/hit.ts'
import { answerableActivations } from './every-activation.ts'
import type { EventDetail, NewEvent } from './new-event.ts'
import { MAX_USER_AGENT_LENGTH, truncateEventText } from './record.ts'

/** An app's report on a push message, in the form in which it waits to be stored: in memory, or as JSON in the spool. */
export interface PushHit extends Omit<PendingHitRequest, 'visitor' | 'verdict'> {
  channel: typeof pushChannelTraits.name
  token: Omit<PushMessageToken, 'silent'>
  type: PushReportKind
}

/** Destination of a push, as its activation records it; null: the app's own, or unknown. */
export interface PushDestination {
  channel: string | null
  redirection: string | null
  /** True if an activation records it. */
  isKnown: boolean
}

/** Reads the destinations of pushes and the channels that show them from their activations, in the order of `tokens`. */
export async function readPushDestinations(db: Db, tokens: readonly PushHit['token'][]): Promise<PushDestination[]> {
  const { rows } = await sql<PushDestination>`
    select a.activation ->> 'channel' as channel, a.activation ->> 'redirection' as redirection,
      a.activation is not null as "isKnown"
    from unnest(${tokens.map(({ account }) => account)}::integer[], ${tokens.map(({ stamp }) => stamp)}::uuid[],
      ${tokens.map(({ subscription }) => subscription)}::uuid[]) with ordinality as g (account, stamp, subscription, n)
    left join lateral (
      select activation from ${answerableActivations} e
      where e.account = g.account and e.stamp = g.stamp and e.subscription = g.subscription
        and e.channel = ${pushChannelTraits.name}
      order by e.at limit 1) a on true
    order by g.n`.execute(db)
  return rows
}

/** Builds the replacement of an activation that is not stored from the contents of the token. */
function buildTokenPart({
  notification: id,
  version,
  test,
  contact,
  stamp,
  subscription,
}: PushHit['token']): EventDetail {
  const receiver =
    contact === 0 ? { type: 'subscription', value: subscription } : { type: 'id', value: formatContactId(contact) }
  return { id, version, kind: test ? 'test' : 'application', receiver, stamp: { id: stamp }, subscription }
}

function toPublishedSignal(
  { type, time, address, userAgent }: PushHit,
  destination: PushDestination,
): Pick<NewEvent, 'kind' | 'detail'> {
  const agentText = userAgent === null ? null : truncateEventText(userAgent, MAX_USER_AGENT_LENGTH)
  const device = parseUserAgent(agentText)
  const hitDetail = { time, ip: address, userAgent: agentText, device, classification: null }
  switch (type) {
    case 'impression':
      return { kind: 'impressions', detail: { impression: { time, userAgent: agentText, device } } }
    case 'redirection':
      return {
        kind: 'hits/redirection',
        detail: { link: { type, id: null, name: null, url: destination.redirection }, hit: hitDetail },
      }
    case 'dismiss':
      return { kind: 'hits/dismiss', detail: { link: { type }, hit: hitDetail } }
    case 'optout.global':
      return { kind: 'optouts', detail: { optout: { type: 'global', time } } }
    case 'optout.channel':
      return { kind: 'optouts', detail: { optout: { type: 'channel', value: destination.channel, time } } }
  }
}

/** The event of a sign of an app: once for each sign of a stamp and a subscription. It is never classed as a robot's. */
export function createPushSignalEvent(hit: PushHit, destination: PushDestination): NewEvent {
  const { account, notification: subject, contact, stamp, subscription, test } = hit.token
  return {
    account,
    channel: pushChannelTraits.name,
    subject,
    contact: contact === 0 ? null : contact,
    stamp,
    thread: null,
    subscription,
    isTest: test,
    key: [stamp, subscription, hit.type].join(' '),
    ...toPublishedSignal(hit, destination),
    fallback: buildTokenPart(hit.token),
  }
}
