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

/** Source of messages on demand: its sending is opened with the first message. */
export type OnDemandSource = Pick<SendingContent, 'sourceKind' | 'source' | 'version' | 'lane'>

/** A message of its own to a further address, with the stamp of the message that it is a copy of. */
export interface CopyRequest {
  address: string
  request: MessageRequest
}

/** Details that the execution event of a message records. */
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
  /** Number of workflow steps that led to it; 0 by default. */
  depth?: number
  /** The id of an open sending, or what is sent on demand. */
  sending: number | OnDemandSource
  copies: readonly CopyRequest[]
  /** Null: no event is written, as of proofs. */
  execution: ExecutionDetails | null
}

/** Result of a request: `contact` is that of the first message with its stamp. */
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

const buildRequestKey = ({ account, stamp }: Pick<NewOutboxMessage, 'account' | 'stamp'>): string =>
  `${account} ${stamp.id}`

/** In which order messages enter the outbox. By stamps, transactions that share some cannot deadlock. */
export type SendRequestOrder = 'by stamp' | 'as given'

/** The requests in their order, the first of each stamp. */
function orderRequests(requests: readonly SendRequest[], order: SendRequestOrder): SendRequest[] {
  const firstRequests = new Map<string, SendRequest>()
  for (const request of requests)
    if (!firstRequests.has(buildRequestKey(request))) firstRequests.set(buildRequestKey(request), request)
  const distinctRequests = [...firstRequests.values()]
  return order === 'as given' ? distinctRequests : distinctRequests.sort((a, b) => (a.stamp.id < b.stamp.id ? -1 : 1))
}

/** Opens the sendings of what is sent on demand; gives the sending of each request. */
async function openSendings(tx: Db, requests: readonly SendRequest[], now: Date): Promise<(r: SendRequest) => number> {
  const sources = new Map<string, SendingContent>()
  for (const { account, channel, sending } of requests) {
    if (typeof sending !== 'number')
      sources.set(toSendingSourceKey({ account, ...sending }), { account, channel, ...sending })
  }
  const sendingIds = await openOnDemandSendings(tx, [...sources.values()], now)
  const idsBySource = new Map([...sources.keys()].map((name, index) => [name, sendingIds[index]!]))
  return ({ account, sending }) =>
    typeof sending === 'number' ? sending : idsBySource.get(toSendingSourceKey({ account, ...sending }))!
}

/** Builds the outbox message of a request: an ending without a hand-over records the requester, as its execution does. */
function toOutboxMessage(
  { copies, execution: executionDetails, depth = 0, ...message }: SendRequest,
  sending: number,
): NewOutboxMessage {
  const { origin } = executionDetails ?? {}
  const originMembers = origin && origin.type !== 'api' ? { request: { ...message.request, origin } } : {}
  return { ...message, ...originMembers, depth, sending }
}

/** A send as its events say it, and what was asked; undefined of one that has no execution event. */
function buildRequestedSend(send: SendRequest): { sent: AnySend; asked: SendRequestDetail } | undefined {
  const { account, channel, kind, sending, contact, stamp, depth = 0, request, execution: details } = send
  if (details === null || typeof sending === 'number') return undefined
  const { footprint, field, origin, push, rcs } = details
  const { sourceKind, source } = sending
  const requestedSend = {
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
  return { sent: requestedSend, asked: { data: request.data ?? {}, origin } }
}

function buildExecutionEvents(send: SendRequest): NewEvent[] {
  const builtSend = buildRequestedSend(send)
  return builtSend ? [createExecutionEvent(builtSend.sent, builtSend.asked)] : []
}

/** The events of a send that is cancelled as it is asked for: nothing enters the outbox. */
export function buildCancelledSendEvents(send: SendRequest, cause: SendCancellation): NewEvent[] {
  const builtSend = buildRequestedSend(send)
  return builtSend
    ? [
        createExecutionEvent(builtSend.sent, builtSend.asked),
        createCancellationEvent(builtSend.sent, cause, builtSend.asked),
      ]
    : []
}

/** The contacts of stamps that were known already, by account and stamp. */
async function loadKnownContacts(tx: Db, requests: readonly SendRequest[]): Promise<Map<string, number | null>> {
  const contactsByKey = new Map<string, number | null>()
  for (const [account, accountRequests] of Map.groupBy(requests, (request) => request.account)) {
    const stamps = accountRequests.map(({ stamp }) => stamp.id)
    const storedMessages = await findMessages(tx, account, stamps)
    for (const { stamp, contact } of storedMessages.values())
      contactsByKey.set(buildRequestKey({ account, stamp }), contact)
  }
  return contactsByKey
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
  const distinctRequests = orderRequests(requests, order)
  const sendingOf = await openSendings(tx, distinctRequests, now)
  const messages = new Map(distinctRequests.map((request) => [request, toOutboxMessage(request, sendingOf(request))]))
  const queuedMessages = await queueMessages(tx, [...messages.values()], now)
  const newKeys = new Set(queuedMessages.map(({ account, stamp }) => `${account} ${stamp}`))
  const newRequests = distinctRequests.filter((request) => newKeys.has(buildRequestKey(request)))
  const copyMessages = newRequests.flatMap((request) =>
    request.copies.map((copy): NewOutboxMessage => ({ ...messages.get(request)!, kind: 'copy', ...copy })),
  )
  await queueMessages(tx, copyMessages, now)
  const repeatedRequests = distinctRequests.filter((request) => !newKeys.has(buildRequestKey(request)))
  const storedContacts = await loadKnownContacts(tx, repeatedRequests)
  for (const request of distinctRequests)
    if (!storedContacts.has(buildRequestKey(request))) storedContacts.set(buildRequestKey(request), request.contact)
  const sendAnswers = requests.map((request) => ({
    isNew: newKeys.has(buildRequestKey(request)),
    contact: storedContacts.get(buildRequestKey(request)) ?? null,
  }))
  return { answers: sendAnswers, events: newRequests.flatMap(buildExecutionEvents) }
}
