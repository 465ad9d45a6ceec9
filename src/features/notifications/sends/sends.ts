import { sql } from 'kysely'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import { signalDueWork } from '../../../jobs/due-watch.ts'
import { conflictProblem } from '../../../lib/errors/problem.ts'
import { createUuidsV7, createUuidV7, parseUuid } from '../../../lib/ids.ts'
import { outboxLanes } from '../../../lib/lanes.ts'
import { findMessages } from '../../../sending/claim/find-messages.ts'
import { requestSends, type SendRequest } from '../../../sending/plan/request-sends.ts'
import type { SendRequester } from '../../actions/execution/execution-items.ts'
import { readContactFootprints } from '../../actions/execution/executions.ts'
import { type FoundContact, findContacts, toFootprint } from '../../contacts/records/find.ts'
import { appendEvents } from '../../events/record/append.ts'
import { choosePushVersions } from '../content/choices.ts'
import {
  buildPushContentKey,
  isNotificationUnchanged,
  type PreparedPushContents,
  preparePushContents,
  storePushContents,
} from '../content/contents.ts'
import { loadPushSourceContext } from '../content/drafts.ts'
import { findPushApplication, type PushApplication } from '../content/references.ts'
import { buildPushStamp, requirePushVersion } from '../content/renders.ts'
import type { PushResult } from '../item-schemas.ts'
import type { PushVersion } from '../notification-schemas.ts'
import { loadNotification, type NotificationKey, type StoredNotification } from '../stored.ts'
import { computePushItemExpiry, hasOversizedPushData, type ParsedPushItem, toStoredPushRequest } from './push-items.ts'
import { type FoundPushReceiver, findPushReceivers } from './receivers.ts'

export type PushSendContext = Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log' | 'renders' | 'tokens'>
type Failure = Extract<PushResult, { type: 'error' }>
type Success = Extract<PushResult, { type: 'success' }>

/** Tries of a request whose notification is changed while it is prepared. */
const TRIES = 5

/** One message that can be made. */
interface Message {
  type: 'message'
  read: ParsedPushItem
  receiver: FoundPushReceiver
  related: FoundContact | null
  newId: string
}

type Found = Message | Failure

/** What is to be sent, of which notification as it was looked at. */
export interface PreparedPushes {
  row: StoredNotification
  kind: 'message' | 'test'
  items: readonly ParsedPushItem[]
  /** In the order of the items. */
  found: readonly Found[]
  /** Of the messages, in their order. */
  versions: readonly PushVersion[]
  contents: PreparedPushContents
}

const failure = (value: Failure['value']): Failure => ({ type: 'error', value })

/** Throws conflict without an application that is active. */
async function activeApplication(db: Db, { account, id, application }: StoredNotification): Promise<PushApplication> {
  const found = application === null ? undefined : await findPushApplication(db, account, application)
  if (!found) throw conflictProblem('application-missing', `The notification ${id} has no application.`)
  if (!found.active)
    throw conflictProblem('application-inactive', `The application of the notification ${id} is not active.`)
  return found
}

/** Whom items name, or why one of them is not sent. */
async function findAll(
  db: Db,
  row: StoredNotification,
  items: readonly ParsedPushItem[],
  now: number,
): Promise<Found[]> {
  const receivers = await findPushReceivers(
    db,
    row,
    items.map(({ named }) => named),
  )
  const withRelated = items.filter(({ item }) => item.related)
  const related = withRelated.length
    ? await findContacts(
        db,
        row.account,
        withRelated.map(({ item }) => item.related!),
      )
    : []
  const relatedOf = new Map(withRelated.map((read, index) => [read, related[index]]))
  const newIds = createUuidsV7(items.length, now)
  return items.map((read, index): Found => {
    const { item, recipient } = read
    const receiver = receivers[index]
    if (!receiver) return failure({ type: 'recipient not found', recipient })
    const second = relatedOf.get(read)
    if (item.related && !second) return failure({ type: 'related not found', related: item.related })
    if (hasOversizedPushData(item)) return failure({ type: 'data', message: 'data may have 256 KiB as JSON' })
    return { type: 'message', read, receiver, related: second ?? null, newId: newIds[index]! }
  })
}

const isMessage = (found: Found): found is Message => found.type === 'message'

/** Finds receivers, chooses versions, compiles what is new; undefined when the notification was changed meanwhile. */
async function prepare(
  context: PushSendContext,
  row: StoredNotification,
  { items, kind }: Pick<PreparedPushes, 'kind' | 'items'>,
): Promise<PreparedPushes | undefined> {
  for (const { item } of items) requirePushVersion(row, item.version ?? null)
  const application = await activeApplication(context.db, row)
  const surroundings = await loadPushSourceContext(context, row.account)
  const found = await findAll(context.db, row, items, context.clock.now())
  const messages = found.filter(isMessage)
  const inputs = messages.map(({ read, receiver, related, newId }) => ({
    ...{ item: read.item, contact: receiver.contact, related, newId },
  }))
  const versions = await choosePushVersions(context, row, surroundings, inputs)
  // What items bring is looked at even where nobody is found: the request is right or wrong by itself.
  const chosen = messages.map(({ read }, index) => ({ version: versions[index]!, given: read.item, at: read.at }))
  const contents = await preparePushContents({ context, row, surroundings, application }, chosen)
  return contents && { row, kind, items, found, versions, contents }
}

/** What is said of the messages of a request beside their items. */
interface Storing {
  /** Milliseconds. */
  now: number
  /** Absent: they are asked for by a request. */
  askerOf?: (item: ParsedPushItem['item']) => SendRequester | undefined
}

function sendsOf(
  { row, kind, found, versions }: PreparedPushes,
  numbers: ReadonlyMap<string, number>,
  { now, askerOf }: Storing,
): SendRequest[] {
  const set = createUuidV7(now)
  const messages = found.filter(isMessage)
  if (messages.length === 0) return []
  const numberOf = (index: number) =>
    numbers.get(buildPushContentKey({ version: versions[index]!, given: messages[index]!.read.item }))!
  const master = numbers.get(requirePushVersion(row, null).id) ?? numberOf(0)
  const isTest = kind === 'test'
  return messages.map(({ read, receiver, related, newId }, index): SendRequest => {
    const { contact, subscription } = receiver
    const isUrgent = isTest || (read.item.urgent ?? row.urgent)
    const push = { version: versions[index]!.id, application: row.application!, subscription }
    const { origin = { type: 'api' }, ...held } = askerOf?.(read.item) ?? {}
    return {
      ...held,
      account: row.account,
      lane: isUrgent ? outboxLanes.urgent : outboxLanes.transactional,
      channel: pushChannelTraits.name,
      kind,
      sending: {
        sourceKind: pushChannelTraits.sourceKind,
        source: row.id,
        version: master,
        lane: outboxLanes.transactional,
      },
      version: numberOf(index),
      contact: contact?.id ?? null,
      address: null,
      stamp: buildPushStamp(read.item, newId, { set, now }),
      request: toStoredPushRequest(read.item, receiver, related?.id ?? null),
      notBefore: new Date(now),
      expiresAt: computePushItemExpiry(read, row, now),
      copies: [],
      execution: isTest
        ? null
        : {
            footprint: contact && toFootprint(contact),
            field: null,
            push: { ...push, subscription: contact ? null : subscription },
            origin,
          },
    }
  })
}

/** A message to be requested, or why there is none. */
export type PreparedPushSend = { type: 'message'; send: SendRequest; contact: FoundContact | null } | Failure

/**
 * What is to be requested for prepared items, in their order. Nothing changes the notification until the transaction ends.
 * Undefined: it was changed since they were prepared.
 */
export async function buildPushSends(
  tx: Db,
  prepared: PreparedPushes,
  storing: Storing,
): Promise<PreparedPushSend[] | undefined> {
  const { row, found, contents } = prepared
  // Requests go side by side; a deactivation waits for them, and cancels what they have stored.
  await sql`select from notifications where account = ${row.account} and id = ${row.id} for share`.execute(tx)
  if (!isNotificationUnchanged(row, await loadNotification(tx, row))) return undefined
  const sends = sendsOf(prepared, await storePushContents(tx, row, contents, new Date(storing.now)), storing).values()
  return found.map((one) =>
    isMessage(one) ? { type: 'message', send: sends.next().value!, contact: one.receiver.contact } : one,
  )
}

/** Stores messages with their events; gives what became of each item. */
async function store(
  tx: Db,
  { row, items, found }: PreparedPushes,
  made: readonly PreparedPushSend[],
  now: number,
): Promise<PushResult[]> {
  const { account } = row
  const sends = made.flatMap((one) => (one.type === 'message' ? [one.send] : []))
  const stampGiven = (index: number) => parseUuid(items[index]!.item.stamp?.id ?? '')
  // An item whose stamp is known answers as it did first, whatever is wrong with it now.
  const faulty = found.flatMap((one, index) => (isMessage(one) ? [] : (stampGiven(index) ?? [])))
  const known = await findMessages(tx, account, faulty)
  const { answers, events } = await requestSends(tx, sends, new Date(now))
  const contacts = [...answers.map(({ contact }) => contact), ...[...known.values()].map(({ contact }) => contact)]
  const footprints = await readContactFootprints(
    tx,
    account,
    contacts,
    found.flatMap((one) => (isMessage(one) && one.receiver.contact ? [one.receiver.contact] : [])),
  )
  const success = (id: string, contact: number | null, subscription: string | null | undefined): Success => {
    const device = contact === null && subscription ? ({ type: 'subscription', value: subscription } as const) : null
    return { type: 'success', id, recipient: device ?? footprints(contact) }
  }
  await appendEvents(tx, events)
  let sent = 0
  return found.map((one, index): PushResult => {
    if (isMessage(one)) {
      const place = sent++
      return success(sends[place]!.stamp.id, answers[place]!.contact, one.receiver.subscription)
    }
    const first = known.get(stampGiven(index) ?? '')
    return first ? success(first.stamp.id, first.contact, first.request.subscription) : one
  })
}

/** What is asked of one notification: `items` may depend on how it is now, and throws what speaks against them. */
export interface RequestedPushes {
  kind: PreparedPushes['kind']
  items: (row: StoredNotification) => Promise<readonly ParsedPushItem[]> | readonly ParsedPushItem[]
}

/**
 * Finds receivers, chooses versions, and compiles what items bring. Not to be called in a transaction. Undefined: the
 * notification was changed meanwhile. Throws notFound, 400, conflict.
 */
export async function preparePushes(
  context: PushSendContext,
  key: NotificationKey,
  { kind, items }: RequestedPushes,
): Promise<PreparedPushes | undefined> {
  const row = await loadNotification(context.db, key)
  return prepare(context, row, { items: await items(row), kind })
}

/**
 * Sends messages of a notification; their results are in the order of the items, and success means that message and event are
 * stored. Nothing changes the notification between the look at it and the commit. Throws notFound, 400, conflict.
 */
export async function sendPushes(
  context: PushSendContext,
  key: NotificationKey,
  asked: RequestedPushes,
): Promise<PushResult[]> {
  for (let tried = 0; tried < TRIES; tried++) {
    const prepared = await preparePushes(context, key, asked)
    const results =
      prepared &&
      (await inTransaction(context.db, async (tx) => {
        const now = context.clock.now()
        const made = await buildPushSends(tx, prepared, { now })
        return made && store(tx, prepared, made, now)
      }))
    if (results) {
      signalDueWork(context.db)
      return results
    }
  }
  throw conflictProblem('notification-state', 'The notification is being changed by other requests: try again.')
}
