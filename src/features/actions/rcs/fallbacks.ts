import type { MessageRequest } from '../../../channels/message.ts'
import type { RcsFallbackReason, RcsFallbackSms } from '../../../channels/rcs/followups.ts'
import { rcsChannelTraits } from '../../../channels/rcs/traits.ts'
import { smsChannelTraits } from '../../../channels/sms/traits.ts'
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
const MIN_SMS_WAIT_MS = 60_000

/** Stored rich messages, by account and stamp. */
async function loadSentMessages(tx: Db, list: readonly UndeliveredRcsMessage[]): Promise<Map<string, StampedMessage>> {
  const messagesByKey = new Map<string, StampedMessage>()
  for (const [account, accountMessages] of Map.groupBy(list, (undelivered) => undelivered.account)) {
    const messages = await findMessages(
      tx,
      account,
      accountMessages.map(({ stamp }) => stamp),
    )
    for (const [stamp, message] of messages) messagesByKey.set(`${account} ${stamp}`, message)
  }
  return messagesByKey
}

/** Reference of an SMS to the rich message that it replaces. */
function buildFallbackReference(
  { kind, rcs: route }: AnySend,
  reason: RcsFallbackReason,
): Pick<MessageRequest, 'fallback'> {
  const fallbackSource = { type: smsChannelTraits.name, channel: rcsChannelTraits.name, reason, kind }
  if (!route) return { fallback: fallbackSource }
  const { agent, profile, phone } = route
  return { fallback: { ...fallbackSource, route: { phone: phone ?? '', agent, profile } } }
}

function buildFallbackSend(
  { version, contact, address, stamp, request }: StampedMessage,
  send: AnySend,
  { account, sms: smsOptions, reason }: UndeliveredRcsMessage,
  now: number,
): NewOutboxMessage {
  return {
    account,
    channel: smsChannelTraits.name,
    kind: 'fallback',
    sending: smsOptions.sending,
    lane: smsOptions.lane,
    version,
    contact,
    // The address of one that was erased is empty.
    address: smsOptions.isToContact ? null : (address ?? ''),
    stamp,
    request: { ...request, ...buildFallbackReference(send, reason) },
    depth: smsOptions.depth,
    notBefore: new Date(now),
    expiresAt: new Date(now + Math.max(MIN_SMS_WAIT_MS, smsOptions.waitMs)),
  }
}

/**
 * Queues the SMS of rich messages that will not arrive. Runs in the caller's transaction, which also records the step that caused them.
 * Erased messages have no SMS. `now` in milliseconds.
 */
export async function queueSmsFallbacks(tx: Db, list: readonly UndeliveredRcsMessage[], now: number): Promise<void> {
  if (list.length === 0) return
  const sends = await findRcsSends(tx, list)
  const sentMessages = await loadSentMessages(tx, list)
  const messages = list.flatMap((undelivered, index) => {
    const [message, send] = [sentMessages.get(`${undelivered.account} ${undelivered.stamp}`), sends[index]]
    return message && send ? [buildFallbackSend(message, send, undelivered, now)] : []
  })
  await queueFallbackMessages(tx, messages, new Date(now))
}
