import type { MessageRequest } from '../../../channels/message.ts'
import { rcsChannelTraits } from '../../../channels/rcs/facts.ts'
import type { RcsFallbackReason, RcsFallbackSms } from '../../../channels/rcs/followups.ts'
import { smsChannelTraits } from '../../../channels/sms/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { findMessages, type StampedMessage } from '../../../sending/claim/find-messages.ts'
import type { NewOutboxMessage } from '../../../sending/claim/queue-messages.ts'
import { queueFallbackMessages } from '../../../sending/record/fallbacks.ts'
import { findRcsSends } from '../../events/record/rcs-activations.ts'
import type { AnySend } from '../../events/record/record.ts'

/** A rich message in whose place an SMS is to go. */
export interface UndeliveredRcsMessage {
  account: AccountId
  stamp: string
  sms: RcsFallbackSms
  reason: RcsFallbackReason
}

/** A network is given at least this long. */
const MIN_WAIT_MS = 60_000

/** What is recorded of rich messages, by account and stamp. */
async function loadSent(tx: Db, list: readonly UndeliveredRcsMessage[]): Promise<Map<string, StampedMessage>> {
  const found = new Map<string, StampedMessage>()
  for (const [account, own] of Map.groupBy(list, (one) => one.account)) {
    const messages = await findMessages(
      tx,
      account,
      own.map(({ stamp }) => stamp),
    )
    for (const [stamp, message] of messages) found.set(`${account} ${stamp}`, message)
  }
  return found
}

/** How the SMS of a message says whose place it takes. */
function standingFor({ kind, rcs: route }: AnySend, reason: RcsFallbackReason): Pick<MessageRequest, 'fallback'> {
  const of = { type: smsChannelTraits.name, channel: rcsChannelTraits.name, reason, kind }
  if (!route) return { fallback: of }
  const { agent, profile, phone } = route
  return { fallback: { ...of, route: { phone: phone ?? '', agent, profile } } }
}

function messageOf(
  { version, contact, address, stamp, request }: StampedMessage,
  send: AnySend,
  { account, sms: how, reason }: UndeliveredRcsMessage,
  now: number,
): NewOutboxMessage {
  return {
    account,
    channel: smsChannelTraits.name,
    kind: 'fallback',
    sending: how.sending,
    lane: how.lane,
    version,
    contact,
    // The address of one that was erased is empty.
    address: how.isToContact ? null : (address ?? ''),
    stamp,
    request: { ...request, ...standingFor(send, reason) },
    depth: how.depth,
    notBefore: new Date(now),
    expiresAt: new Date(now + Math.max(MIN_WAIT_MS, how.waitMs)),
  }
}

/**
 * Queues the SMS of rich messages that will not arrive, in the caller's transaction, which takes the step that makes them.
 * What was erased meanwhile has none. `now` in milliseconds.
 */
export async function queueSmsFallbacks(tx: Db, list: readonly UndeliveredRcsMessage[], now: number): Promise<void> {
  if (list.length === 0) return
  const sends = await findRcsSends(tx, list)
  const sent = await loadSent(tx, list)
  const messages = list.flatMap((one, index) => {
    const [message, send] = [sent.get(`${one.account} ${one.stamp}`), sends[index]]
    return message && send ? [messageOf(message, send, one, now)] : []
  })
  await queueFallbackMessages(tx, messages, new Date(now))
}
