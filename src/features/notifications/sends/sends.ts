import { sql } from 'kysely'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
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
type PushFailure = Extract<PushResult, { type: 'error' }>
type PushSuccess = Extract<PushResult, { type: 'success' }>

/** Tries of a request whose notification is changed while it is prepared. */
const MAX_SEND_TRIES = 5

/** One message that can be made. */
interface PreparedMessage {
  type: 'message'
  read: ParsedPushItem
  receiver: FoundPushReceiver
  related: FoundContact | null
  newId: string
}

type PreparedItem = PreparedMessage | PushFailure

/** Messages to send, and their notification as it was read. */
export interface PreparedPushes {
  row: StoredNotification
  kind: 'message' | 'test'
  items: readonly ParsedPushItem[]
  /** In the order of the items. */
  found: readonly PreparedItem[]
  /** Versions of the messages, in their order. */
  versions: readonly PushVersion[]
  contents: PreparedPushContents
}

const createFailure = (value: PushFailure['value']): PushFailure => ({ type: 'error', value })

/** Throws conflict without an application that is active. */
async function requireActiveApplication(
  db: Db,
  { account, id, application }: StoredNotification,
): Promise<PushApplication> {
  const foundApplication = application === null ? undefined : await findPushApplication(db, account, application)
  if (!foundApplication) throw conflictProblem('application-missing', `The notification ${id} has no application.`)
  if (!foundApplication.active)
    throw conflictProblem('application-inactive', `The application of the notification ${id} is not active.`)
  return foundApplication
}

/** Resolves the receivers of items, or the reason why an item is not sent. */
async function resolveItems(
  db: Db,
  row: StoredNotification,
  items: readonly ParsedPushItem[],
  now: number,
): Promise<PreparedItem[]> {
  const receivers = await findPushReceivers(
    db,
    row,
    items.map(({ named: requestedReceiver }) => requestedReceiver),
  )
  const withRelated = items.filter(({ item }) => item.related)
  const related = withRelated.length
    ? await findContacts(
        db,
        row.account,
        withRelated.map(({ item }) => item.related!),
      )
    : []
  const relatedOf = new Map(withRelated.map((parsedItem, index) => [parsedItem, related[index]]))
  const newIds = createUuidsV7(items.length, now)
  return items.map((parsedItem, index): PreparedItem => {
    const { item, recipient } = parsedItem
    const receiver = receivers[index]
    if (!receiver) return createFailure({ type: 'recipient not found', recipient })
    const relatedContact = relatedOf.get(parsedItem)
    if (item.related && !relatedContact) return createFailure({ type: 'related not found', related: item.related })
    if (hasOversizedPushData(item))
      return createFailure({ type: 'data', message: 'data must have at most 256 KiB as JSON' })
    return { type: 'message', read: parsedItem, receiver, related: relatedContact ?? null, newId: newIds[index]! }
  })
}

const isPreparedMessage = (preparedItem: PreparedItem): preparedItem is PreparedMessage =>
  preparedItem.type === 'message'

/** Finds receivers, chooses versions, compiles what is new; undefined when the notification was changed meanwhile. */
async function prepareContents(
  context: PushSendContext,
  row: StoredNotification,
  { items, kind }: Pick<PreparedPushes, 'kind' | 'items'>,
): Promise<PreparedPushes | undefined> {
  for (const { item } of items) requirePushVersion(row, item.version ?? null)
  const application = await requireActiveApplication(context.db, row)
  const surroundings = await loadPushSourceContext(context, row.account)
  const resolvedItems = await resolveItems(context.db, row, items, context.clock.now())
  const messages = resolvedItems.filter(isPreparedMessage)
  const inputs = messages.map(({ read: parsedItem, receiver, related, newId }) => ({
    item: parsedItem.item,
    contact: receiver.contact,
    related,
    newId,
  }))
  const versions = await choosePushVersions(context, row, surroundings, inputs)
  // What items bring is looked at even where nobody is found: the request is right or wrong by itself.
  const chosenContents = messages.map(({ read: parsedItem }, index) => ({
    version: versions[index]!,
    given: parsedItem.item,
    at: parsedItem.at,
  }))
  const contents = await preparePushContents({ context, row, surroundings, application }, chosenContents)
  return contents && { row, kind, items, found: resolvedItems, versions, contents }
}

/** Input for the messages of a request, in addition to their items. */
interface StoringContext {
  /** Milliseconds. */
  now: number
  /** Absent: they are asked for by a request. */
  askerOf?: (item: ParsedPushItem['item']) => SendRequester | undefined
}

function buildSendRequests(
  { row, kind, found: preparedItems, versions }: PreparedPushes,
  numbers: ReadonlyMap<string, number>,
  { now, askerOf }: StoringContext,
): SendRequest[] {
  const stampSet = createUuidV7(now)
  const messages = preparedItems.filter(isPreparedMessage)
  if (messages.length === 0) return []
  const getContentNumber = (index: number) =>
    numbers.get(buildPushContentKey({ version: versions[index]!, given: messages[index]!.read.item }))!
  const masterNumber = numbers.get(requirePushVersion(row, null).id) ?? getContentNumber(0)
  const isTest = kind === 'test'
  return messages.map(({ read: parsedItem, receiver, related, newId }, index): SendRequest => {
    const { contact, subscription } = receiver
    const isUrgent = isTest || (parsedItem.item.urgent ?? row.urgent)
    const push = { version: versions[index]!.id, application: row.application!, subscription }
    const { origin = { type: 'api' }, ...requesterFields } = askerOf?.(parsedItem.item) ?? {}
    return {
      ...requesterFields,
      account: row.account,
      lane: isUrgent ? outboxLanes.urgent : outboxLanes.transactional,
      channel: pushChannelTraits.name,
      kind,
      sending: {
        sourceKind: pushChannelTraits.sourceKind,
        source: row.id,
        version: masterNumber,
        lane: outboxLanes.transactional,
      },
      version: getContentNumber(index),
      contact: contact?.id ?? null,
      address: null,
      stamp: buildPushStamp(parsedItem.item, newId, { set: stampSet, now }),
      request: toStoredPushRequest(parsedItem.item, receiver, related?.id ?? null),
      notBefore: new Date(now),
      expiresAt: computePushItemExpiry(parsedItem, row, now),
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

/** Message to request, or the reason why there is none. */
export type PreparedPushSend = { type: 'message'; send: SendRequest; contact: FoundContact | null } | PushFailure

/**
 * Builds the send requests of prepared items, in their order. The notification cannot change until the transaction ends. Returns
 * `undefined` if it was changed since the items were prepared.
 */
export async function buildPushSends(
  tx: Db,
  prepared: PreparedPushes,
  storing: StoringContext,
): Promise<PreparedPushSend[] | undefined> {
  const { row, found: preparedItems, contents } = prepared
  // Requests go side by side; a deactivation waits for them, and cancels what they have stored.
  await sql`select from notifications where account = ${row.account} and id = ${row.id} for share`.execute(tx)
  if (!isNotificationUnchanged(row, await loadNotification(tx, row))) return undefined
  const sends = buildSendRequests(
    prepared,
    await storePushContents(tx, row, contents, new Date(storing.now)),
    storing,
  ).values()
  return preparedItems.map((preparedItem) =>
    isPreparedMessage(preparedItem)
      ? { type: 'message', send: sends.next().value!, contact: preparedItem.receiver.contact }
      : preparedItem,
  )
}

/** Stores messages with their events; gives what became of each item. */
async function storePushes(
  tx: Db,
  { row, items, found: preparedItems }: PreparedPushes,
  preparedSends: readonly PreparedPushSend[],
  now: number,
): Promise<PushResult[]> {
  const { account } = row
  const sends = preparedSends.flatMap((preparedSend) => (preparedSend.type === 'message' ? [preparedSend.send] : []))
  const stampGiven = (index: number) => parseUuid(items[index]!.item.stamp?.id ?? '')
  // An item whose stamp is known answers as it did first, whatever is wrong with it now.
  const faultyStamps = preparedItems.flatMap((preparedSend, index) =>
    isPreparedMessage(preparedSend) ? [] : (stampGiven(index) ?? []),
  )
  const knownMessages = await findMessages(tx, account, faultyStamps)
  const { answers, events } = await requestSends(tx, sends, new Date(now))
  const contacts = [
    ...answers.map(({ contact }) => contact),
    ...[...knownMessages.values()].map(({ contact }) => contact),
  ]
  const footprints = await readContactFootprints(
    tx,
    account,
    contacts,
    preparedItems.flatMap((preparedSend) =>
      isPreparedMessage(preparedSend) && preparedSend.receiver.contact ? [preparedSend.receiver.contact] : [],
    ),
  )
  const buildSuccess = (id: string, contact: number | null, subscription: string | null | undefined): PushSuccess => {
    const deviceReceiver =
      contact === null && subscription ? ({ type: 'subscription', value: subscription } as const) : null
    return { type: 'success', id, recipient: deviceReceiver ?? footprints(contact) }
  }
  await appendEvents(tx, events)
  let sendIndex = 0
  return preparedItems.map((preparedSend, index): PushResult => {
    if (isPreparedMessage(preparedSend)) {
      const answerIndex = sendIndex++
      return buildSuccess(
        sends[answerIndex]!.stamp.id,
        answers[answerIndex]!.contact,
        preparedSend.receiver.subscription,
      )
    }
    const firstMessage = knownMessages.get(stampGiven(index) ?? '')
    return firstMessage
      ? buildSuccess(firstMessage.stamp.id, firstMessage.contact, firstMessage.request.subscription)
      : preparedSend
  })
}

/** Request to one notification: `items` may depend on its current state, and throws the reason if they cannot be sent. */
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
  return prepareContents(context, row, { items: await items(row), kind })
}

/**
 * Sends messages of a notification; their results are in the order of the items, and success means that message and event are
 * stored. Nothing changes the notification between the look at it and the commit. Throws notFound, 400, conflict.
 */
export async function sendPushes(
  context: PushSendContext,
  key: NotificationKey,
  pushRequest: RequestedPushes,
): Promise<PushResult[]> {
  for (let attemptCount = 0; attemptCount < MAX_SEND_TRIES; attemptCount++) {
    const prepared = await preparePushes(context, key, pushRequest)
    const results =
      prepared &&
      (await inTransaction(context.db, async (tx) => {
        const now = context.clock.now()
        const preparedSends = await buildPushSends(tx, prepared, { now })
        return preparedSends && storePushes(tx, prepared, preparedSends, now)
      }))
    if (results) {
      signalDueWork(context.db)
      return results
    }
  }
  throw conflictProblem('notification-state', 'The notification is being changed by other requests. Try again.')
}
