import { sql } from 'kysely'
import type { MessageRequest } from '../../channels/message.ts'
import { rcs } from '../../channels/rcs/facts.ts'
import type { FallbackReason, RcsFollowupPayload } from '../../channels/rcs/followups.ts'
import { sms } from '../../channels/sms/facts.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { queueFallbacks } from '../../outbox/fallbacks.ts'
import type { NewMessage } from '../../outbox/messages.ts'
import { findRcsSends } from '../events/rcs-activations.ts'
import type { AnySend } from '../events/record.ts'

/** A rich message in whose place an SMS is to go. */
export interface Unarrived {
  account: AccountId
  stamp: string
  sms: NonNullable<RcsFollowupPayload['sms']>
  reason: FallbackReason
}

/** What is recorded of a rich message. */
interface SentRow {
  account: AccountId
  stamp: string
  version: number
  contact: number | null
  address: string
  thread: string
  set: string
  stamp_time: Date
  request: MessageRequest
}

/** A network is given at least this long. */
const MIN_WAIT_MS = 60_000

async function loadSent(tx: Db, list: readonly Unarrived[]): Promise<SentRow[]> {
  const { rows } = await sql<SentRow>`
    select s.account, s.stamp, s.version, s.contact, s.address, s.thread, s.set, s.stamp_time, s.request
    from unnest(${list.map(({ account }) => account)}::integer[], ${list.map(({ stamp }) => stamp)}::uuid[]) as k (account, stamp)
    join sent_messages s on s.account = k.account and s.stamp = k.stamp`.execute(tx)
  return rows
}

/** How the SMS of a message says whose place it takes. */
function standingFor({ kind, rcs: route }: AnySend, reason: FallbackReason): Pick<MessageRequest, 'fallback'> {
  const of = { type: sms.name, channel: rcs.name, reason, kind }
  if (!route) return { fallback: of }
  const { agent, profile, phone } = route
  return { fallback: { ...of, route: { phone: phone ?? '', agent, profile } } }
}

function messageOf(row: SentRow, send: AnySend, { sms: how, reason }: Unarrived, now: number): NewMessage {
  const { account, stamp, version, contact, address, thread, set, stamp_time, request } = row
  return {
    account,
    channel: sms.name,
    kind: 'fallback',
    sending: how.sending,
    lane: how.lane,
    version,
    contact,
    address: how.isToContact ? null : address,
    stamp: { id: stamp, thread, set, time: stamp_time.getTime() },
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
export async function queueSms(tx: Db, list: readonly Unarrived[], now: number): Promise<void> {
  if (list.length === 0) return
  const sends = await findRcsSends(tx, list)
  const found = new Map(list.map((one, index) => [`${one.account} ${one.stamp}`, { one, send: sends[index] }]))
  const messages = (await loadSent(tx, list)).flatMap((row) => {
    const { one, send } = found.get(`${row.account} ${row.stamp}`) ?? {}
    return one && send ? [messageOf(row, send, one, now)] : []
  })
  await queueFallbacks(tx, messages, new Date(now))
}
