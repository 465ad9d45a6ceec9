import { sql } from 'kysely'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { PushMessageToken, PushReportKind } from '../../../lib/crypto/push-tokens.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { parseUserAgent } from '../hits/device.ts'
import type { PendingHitRequest } from '../hits/hit.ts'
import { answerableActivations } from './every-activation.ts'
import type { EventDetail, NewEvent } from './new-event.ts'
import { MAX_USER_AGENT_LENGTH, truncateEventText } from './record.ts'

/** What an app reported of a push message, in the form in which it waits to be stored: in memory, or as JSON in the spool. */
export interface PushHit extends Omit<PendingHitRequest, 'visitor' | 'verdict'> {
  channel: typeof pushChannelTraits.name
  token: Omit<PushMessageToken, 'silent'>
  type: PushReportKind
}

/** What the activation of a push says of where it leads; null: the app's own, or not known. */
export interface PushDestination {
  channel: string | null
  redirection: string | null
  /** Whether there is an activation that says so. */
  isKnown: boolean
}

/** Where pushes lead and by which channels they are shown, in the order given; as their activations say. */
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

/** What stands for the activation when none is stored: what the token says. */
function tokenPart({ notification: id, version, test, contact, stamp, subscription }: PushHit['token']): EventDetail {
  const receiver =
    contact === 0 ? { type: 'subscription', value: subscription } : { type: 'id', value: formatContactId(contact) }
  return { id, version, kind: test ? 'test' : 'application', receiver, stamp: { id: stamp }, subscription }
}

function published(
  { type, time, address, userAgent }: PushHit,
  shown: PushDestination,
): Pick<NewEvent, 'kind' | 'detail'> {
  const agent = userAgent === null ? null : truncateEventText(userAgent, MAX_USER_AGENT_LENGTH)
  const device = parseUserAgent(agent)
  const hit = { time, ip: address, userAgent: agent, device, classification: null }
  switch (type) {
    case 'impression':
      return { kind: 'impressions', detail: { impression: { time, userAgent: agent, device } } }
    case 'redirection':
      return {
        kind: 'hits/redirection',
        detail: { link: { type, id: null, name: null, url: shown.redirection }, hit },
      }
    case 'dismiss':
      return { kind: 'hits/dismiss', detail: { link: { type }, hit } }
    case 'optout.global':
      return { kind: 'optouts', detail: { optout: { type: 'global', time } } }
    case 'optout.channel':
      return { kind: 'optouts', detail: { optout: { type: 'channel', value: shown.channel, time } } }
  }
}

/** The event of a sign of an app: once for each sign of a stamp and a subscription. It is never classed as a robot's. */
export function createPushSignalEvent(hit: PushHit, shown: PushDestination): NewEvent {
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
    ...published(hit, shown),
    fallback: tokenPart(hit.token),
  }
}
