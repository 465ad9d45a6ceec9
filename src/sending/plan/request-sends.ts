import type { MessageRequest } from '../../channels/message.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { NewEvent } from '../../features/events/record/new-event.ts'
import {
  type AnySend,
  createCancellationEvent,
  createExecutionEvent,
  type Footprint,
  type PushSend,
  type RcsRoute,
  type SendCancellation,
  type SendRequestDetail,
} from '../../features/events/record/record.ts'
import type { SendOrigin } from '../../lib/sources.ts'
import { findMessages } from '../claim/find-messages.ts'
import { type NewOutboxMessage, queueMessages } from '../claim/queue-messages.ts'
import { openOnDemandSendings, type SendingContent, toSendingSourceKey } from './sendings.ts'

/** What is sent on demand: its sending is opened with the first message. */
export type OnDemandSource = Pick<SendingContent, 'sourceKind' | 'source' | 'version' | 'lane'>

/** A message of its own to a further address, with the stamp of the message that it is a copy of. */
export interface CopyRequest {
  address: string
  request: MessageRequest
}

/** What the execution event of a message says of it. */
export interface ExecutionDetails {
  footprint: Footprint | null
  /** Id of the address field; null: it goes to devices. */
  field: number | null
  push?: PushSend
  rcs?: RcsRoute
  origin: SendOrigin
}

/** One message to be sent. */
export interface SendRequest extends Omit<NewOutboxMessage, 'kind' | 'sending' | 'depth'> {
  kind: 'message' | 'test'
  /** How many steps of workflows led to it; 0 by default. */
  depth?: number
  /** The id of an open sending, or what is sent on demand. */
  sending: number | OnDemandSource
  copies: readonly CopyRequest[]
  /** Null: no event is written, as of proofs. */
  execution: ExecutionDetails | null
}

/** What a request came to: `contact` is that of the first message with its stamp. */
export interface SendAnswer {
  isNew: boolean
  contact: number | null
}

export interface RequestedSends {
  /** In the order of the requests. */
  answers: SendAnswer[]
  /** Execution events of the new messages, for the owner of the transaction to append with all its others, at the end. */
  events: NewEvent[]
}

const keyOf = ({ account, stamp }: Pick<NewOutboxMessage, 'account' | 'stamp'>): string => `${account} ${stamp.id}`

/** In which order messages enter the outbox. By stamps, transactions that share some cannot deadlock. */
export type SendRequestOrder = 'by stamp' | 'as given'

/** The requests in their order, the first of each stamp. */
function inOrder(requests: readonly SendRequest[], order: SendRequestOrder): SendRequest[] {
  const first = new Map<string, SendRequest>()
  for (const request of requests) if (!first.has(keyOf(request))) first.set(keyOf(request), request)
  const distinct = [...first.values()]
  return order === 'as given' ? distinct : distinct.sort((a, b) => (a.stamp.id < b.stamp.id ? -1 : 1))
}

/** Opens the sendings of what is sent on demand; gives the sending of each request. */
async function sendingsOf(tx: Db, requests: readonly SendRequest[], now: Date): Promise<(r: SendRequest) => number> {
  const sources = new Map<string, SendingContent>()
  for (const { account, channel, sending } of requests) {
    if (typeof sending !== 'number')
      sources.set(toSendingSourceKey({ account, ...sending }), { account, channel, ...sending })
  }
  const ids = await openOnDemandSendings(tx, [...sources.values()], now)
  const opened = new Map([...sources.keys()].map((name, index) => [name, ids[index]!]))
  return ({ account, sending }) =>
    typeof sending === 'number' ? sending : opened.get(toSendingSourceKey({ account, ...sending }))!
}

/** What a message keeps of its request: an end without a hand-over says who asked, as its execution does. */
function messageOf(
  { copies, execution: asked, depth = 0, ...message }: SendRequest,
  sending: number,
): NewOutboxMessage {
  const { origin } = asked ?? {}
  const own = origin && origin.type !== 'api' ? { request: { ...message.request, origin } } : {}
  return { ...message, ...own, depth, sending }
}

/** A send as its events say it, and what was asked; undefined of one that has no execution event. */
function askedOf(send: SendRequest): { sent: AnySend; asked: SendRequestDetail } | undefined {
  const { account, channel, kind, sending, contact, stamp, depth = 0, request, execution: details } = send
  if (details === null || typeof sending === 'number') return undefined
  const { footprint, field, origin, push, rcs } = details
  const { sourceKind, source } = sending
  const sent = {
    account,
    channel,
    sourceKind,
    source,
    kind,
    contact,
    footprint,
    field,
    stamp,
    depth,
    ...(push && { push }),
    ...(rcs && { rcs }),
  }
  return { sent, asked: { data: request.data ?? {}, origin } }
}

function eventOf(send: SendRequest): NewEvent[] {
  const made = askedOf(send)
  return made ? [createExecutionEvent(made.sent, made.asked)] : []
}

/** The events of a send that is cancelled as it is asked for: nothing enters the outbox. */
export function buildCancelledSendEvents(send: SendRequest, cause: SendCancellation): NewEvent[] {
  const made = askedOf(send)
  return made
    ? [createExecutionEvent(made.sent, made.asked), createCancellationEvent(made.sent, cause, made.asked)]
    : []
}

/** The contacts of stamps that were known already, by account and stamp. */
async function knownContacts(tx: Db, requests: readonly SendRequest[]): Promise<Map<string, number | null>> {
  const contacts = new Map<string, number | null>()
  for (const [account, own] of Map.groupBy(requests, (request) => request.account)) {
    const stamps = own.map(({ stamp }) => stamp.id)
    const found = await findMessages(tx, account, stamps)
    for (const { stamp, contact } of found.values()) contacts.set(keyOf({ account, stamp }), contact)
  }
  return contacts
}

/**
 * Puts messages with their copies into the outbox: once a transaction, and every template compiled before it. A stamp
 * that is known to the account queues nothing, writes no event, and is answered with what it was used for first.
 */
export async function requestSends(
  tx: Db,
  requests: readonly SendRequest[],
  now: Date,
  order: SendRequestOrder = 'by stamp',
): Promise<RequestedSends> {
  if (requests.length === 0) return { answers: [], events: [] }
  const distinct = inOrder(requests, order)
  const sendingOf = await sendingsOf(tx, distinct, now)
  const messages = new Map(distinct.map((request) => [request, messageOf(request, sendingOf(request))]))
  const queued = await queueMessages(tx, [...messages.values()], now)
  const fresh = new Set(queued.map(({ account, stamp }) => `${account} ${stamp}`))
  const sent = distinct.filter((request) => fresh.has(keyOf(request)))
  const copies = sent.flatMap((request) =>
    request.copies.map((copy): NewOutboxMessage => ({ ...messages.get(request)!, kind: 'copy', ...copy })),
  )
  await queueMessages(tx, copies, now)
  const known = distinct.filter((request) => !fresh.has(keyOf(request)))
  const contacts = await knownContacts(tx, known)
  for (const request of distinct) if (!contacts.has(keyOf(request))) contacts.set(keyOf(request), request.contact)
  const answers = requests.map((request) => ({
    isNew: fresh.has(keyOf(request)),
    contact: contacts.get(keyOf(request)) ?? null,
  }))
  return { answers, events: sent.flatMap(eventOf) }
}
