import { sql } from 'kysely'
import { listFamilyActionTypes } from '../../../channels/action-families.ts'
import { getActionChannel, getChannelTraits, type SendingChannelName } from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import { buildPreparedPrefix, type Db, inTransaction } from '../../../database/connection/connect.ts'
import { signalDueWork } from '../../../jobs/due-watch.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { createUuidsV7, createUuidV7, formatContactId, parseUuid } from '../../../lib/ids.ts'
import { outboxLanes } from '../../../lib/lanes.ts'
import { createOutboundPolicy } from '../../../lib/net/guarded-client.ts'
import { findMessages } from '../../../sending/claim/find-messages.ts'
import { requestSends } from '../../../sending/plan/request-sends.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { type FoundContact, toFootprint } from '../../contacts/records/find.ts'
import { appendEvents } from '../../events/record/append.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import {
  type CompiledTemplateOverrides,
  compileTemplateOverrides,
  hasTemplateOverrides,
  storeTemplateOverrides,
} from '../content/override-versions.ts'
import type { ActionRef, StoredActionSettings } from '../resource/action-repository.ts'
import { requireChannelMembers } from '../resource/foreign-members.ts'
import { type ActionStatus, decideActionTransition, requireSameChannel } from '../resource/states.ts'
import { type ExecutionBatch, prepareExecutionItem, type ResolvedExecutionItem } from './execution-items.ts'
import {
  type AddressedItem,
  findExcludedCopies,
  findItemContacts,
  type ItemContacts,
  toAddressedItems,
} from './item-contacts.ts'
import type { ActionExecutionResult, RequestedItem } from './item-schemas.ts'

/** Members of an action that an execution needs. */
interface ExecutableAction extends ActionStatus {
  settings: StoredActionSettings
  version: number | null
}

/** Input of a route: its items, whether they came as a list, and the channel that its media type names. */
export interface ActionItemsRequest<Item> {
  items: readonly Item[]
  isList: boolean
  channel: SendingChannelName | undefined
  /** As of a batch. */
  routeOf?: ExecutionBatch['routeOf']
}

async function loadExecutableAction(db: Db, { family, account, id }: ActionRef): Promise<ExecutableAction> {
  const { rows } = await sql<ExecutableAction>`${buildPreparedPrefix('action-executed')}
    select id, type, state, false as paused, deleted_at, settings, version from actions
    where account = ${account} and id = ${id} and type = any(${listFamilyActionTypes(family)}::text[])`.execute(db)
  const [row] = rows
  if (!row) throw notFoundProblem(family.title, family.showId(id))
  return row
}

/** Throws conflict when an item replaces the content of an action whose language does not allow it. */
export function requireOverridableContent(
  items: readonly Pick<RequestedItem, 'content' | 'brought'>[],
  { templating }: Pick<StoredActionSettings, 'templating'>,
): void {
  if (templating.version !== '4.1' && items.some(({ content, brought }) => content != null || brought)) {
    throw conflictProblem(
      'content-fixed',
      `The action's settings.templating.version is ${templating.version}: only "4.1" lets a send replace the content.`,
    )
  }
}

/** Validated request of an execution. */
interface ValidExecution {
  action: ExecutableAction & { version: number }
  items: readonly AddressedItem[]
}

/** Throws what executeAction throws before it looks at contacts and templates. */
async function validateExecution(
  db: Db,
  ref: ActionRef,
  { items, isList, channel }: ActionItemsRequest<RequestedItem>,
): Promise<ValidExecution> {
  const action = await loadExecutableAction(db, ref)
  decideActionTransition('read', action)
  requireSameChannel(getActionChannel(action.type), channel)
  requireChannelMembers(getActionChannel(action.type), items, isList)
  const addressedItems = toAddressedItems(items, isList)
  decideActionTransition('execute', action)
  requireOverridableContent(items, action.settings)
  const { version } = action
  if (version === null) throw new Error(`action ${ref.id} is validated and has no version`)
  return { action: { ...action, version }, items: addressedItems }
}

/** Stamp id of the item, in lower case; `undefined` if it has none. */
function parseItemStamp({ stamp }: RequestedItem): string | undefined {
  return stamp?.id == null ? undefined : parseUuid(stamp.id)
}

type ExecutionSuccess = Extract<ActionExecutionResult, { type: 'success' }>

/** The footprints of contacts, read where they are not known yet; a contact that is gone has its id alone. */
export async function readContactFootprints(
  db: Db,
  account: AccountId,
  contacts: readonly (number | null)[],
  knownContacts: readonly FoundContact[],
): Promise<(contact: number | null) => ExecutionSuccess['recipient']> {
  const footprints = new Map(knownContacts.map((knownContact) => [knownContact.id, toFootprint(knownContact)]))
  const unknownContacts = contacts.filter((contact) => contact !== null && !footprints.has(contact))
  if (unknownContacts.length > 0) {
    const { rows } = await sql<{ id: number; unicity: string; hash: string }>`
      select id, unicity, encode(hash, 'hex') as hash from contacts
      where account = ${account} and id = any(${unknownContacts}::bigint[])`.execute(db)
    for (const row of rows) footprints.set(row.id, toFootprint(row))
  }
  return (contact) =>
    contact === null ? null : (footprints.get(contact) ?? { type: 'id', value: formatContactId(contact) })
}

async function buildExecutionBatch(
  tx: Db,
  config: ServiceContext['config'],
  { action, items }: ValidExecution,
  batchInput: Pick<ExecutionBatch, 'account' | 'templates' | 'now' | 'routeOf'> & { named: readonly ItemContacts[] },
): Promise<ExecutionBatch> {
  const { account, named: itemContacts, now, templates, routeOf } = batchInput
  const { id, type, version, settings } = action
  const channel = getActionChannel(type)
  const hasUrls = items.some(({ attachments }) => attachments?.some(({ data }) => data.type === 'url'))
  const hosts = hasUrls ? (await readSendingSettings(tx, account)).attachmentHosts : []
  return {
    account,
    channel,
    kind: 'message',
    address: null,
    sending: { sourceKind: getChannelTraits(channel).sourceKind, source: id, version, lane: outboxLanes.transactional },
    action: { id, settings },
    version,
    templates,
    set: createUuidV7(now),
    now,
    excluded: await findExcludedCopies(tx, account, settings.field, itemContacts),
    places: { hosts, reach: createOutboundPolicy(config.outgoingAllow) },
    routeOf,
  }
}

export interface SentExecutionItems {
  /** In the order of the items. */
  results: ActionExecutionResult[]
  events: NewEvent[]
}

/** Requests the messages of items; gives what each came to, and the events that the caller is to append. */
export async function sendExecutionItems(
  tx: Db,
  batch: ExecutionBatch,
  resolvedItems: readonly ResolvedExecutionItem[],
): Promise<SentExecutionItems> {
  const { account, now } = batch
  const preparedItems = resolvedItems.map((preparedItem) => prepareExecutionItem(preparedItem, batch))
  // An item whose stamp is known answers as it did first, whatever is wrong with it now.
  const faultyStamps = resolvedItems.flatMap(({ item }, index) =>
    preparedItems[index]?.type === 'error' ? (parseItemStamp(item) ?? []) : [],
  )
  const knownMessages = await findMessages(tx, account, faultyStamps)
  const requests = preparedItems.flatMap((preparedItem) => (preparedItem.type === 'message' ? [preparedItem.send] : []))
  const { answers, events } = await requestSends(tx, requests, new Date(now))
  const contactsByStamp = new Map([
    ...[...knownMessages].map(([stamp, { contact }]) => [stamp, contact] as const),
    ...requests.map(({ stamp }, index) => [stamp.id, answers[index]!.contact] as const),
  ])
  const messageContacts = preparedItems.flatMap((preparedItem) =>
    preparedItem.type === 'message' ? [preparedItem.contact] : [],
  )
  const recipientOf = await readContactFootprints(tx, account, [...contactsByStamp.values()], messageContacts)
  const buildSuccess = (id: string, contact: number | null): ExecutionSuccess => {
    return { type: 'success', id, recipient: recipientOf(contact) }
  }
  const results = preparedItems.map((preparedItem, index): ActionExecutionResult => {
    if (preparedItem.type === 'message')
      return buildSuccess(preparedItem.send.stamp.id, contactsByStamp.get(preparedItem.send.stamp.id) ?? null)
    const firstMessage = knownMessages.get(parseItemStamp(resolvedItems[index]!.item) ?? '')
    return firstMessage ? buildSuccess(firstMessage.stamp.id, firstMessage.contact) : preparedItem
  })
  return { results, events }
}

/** First result of an item whose stamp the account already used; `undefined` if the stamp is new or missing. */
export async function findFirstResult(
  tx: Db,
  account: AccountId,
  item: RequestedItem,
): Promise<ExecutionSuccess | undefined> {
  const stamp = parseItemStamp(item)
  if (stamp === undefined) return undefined
  const firstMessage = (await findMessages(tx, account, [stamp])).get(stamp)
  if (!firstMessage) return undefined
  const recipientOf = await readContactFootprints(tx, account, [firstMessage.contact], [])
  return { type: 'success', id: firstMessage.stamp.id, recipient: recipientOf(firstMessage.contact) }
}

/**
 * The templates that items bring, compiled; those of the content that the action has now. Not to be called in a transaction.
 * Throws as executeAction does.
 */
export async function compileItemTemplates(
  context: Pick<ServiceContext, 'db' | 'config' | 'renders'>,
  ref: ActionRef,
  request: ActionItemsRequest<RequestedItem>,
): Promise<CompiledTemplateOverrides> {
  if (!hasTemplateOverrides(request.items)) return new Map()
  const { action, items } = await validateExecution(context.db, ref, request)
  const overridden = { action: { ...action, account: ref.account }, version: action.version }
  return compileTemplateOverrides(context, overridden, items, request.isList)
}

/** Items of one action with all that their messages are made of. */
export interface ResolvedExecution {
  batch: ExecutionBatch
  given: ResolvedExecutionItem[]
}

/** Finds whom items are for, and what their action is sent with now. Throws as executeAction does. */
export async function resolveExecution(
  tx: Db,
  { clock, config }: Pick<ServiceContext, 'clock' | 'config'>,
  ref: ActionRef,
  request: ActionItemsRequest<RequestedItem> & { compiled: CompiledTemplateOverrides },
): Promise<ResolvedExecution> {
  const { account } = ref
  const execution = await validateExecution(tx, ref, request)
  const { items } = execution
  const copies = items.map((item) => item.copies ?? [])
  const itemContacts = await findItemContacts(tx, account, items, copies)
  const now = clock.now()
  const templates = await storeTemplateOverrides(tx, account, request.compiled, new Date(now))
  const batch = await buildExecutionBatch(tx, config, execution, {
    account,
    templates,
    now,
    named: itemContacts,
    routeOf: request.routeOf,
  })
  const newIds = createUuidsV7(items.length, now)
  return { batch, given: items.map((item, index) => ({ item, named: itemContacts[index]!, newId: newIds[index]! })) }
}

/**
 * Sends an action's message to each contact named, and answers in the order of the items; success means that the
 * message and its execution event are stored. A stamp id used before answers as then, and nothing is sent again.
 * Throws notFound, 415, 400, and conflict for the state or an override; then nothing is sent.
 */
export async function executeAction(
  context: Pick<ServiceContext, 'db' | 'clock' | 'renders' | 'config'>,
  ref: ActionRef,
  request: ActionItemsRequest<RequestedItem>,
): Promise<ActionExecutionResult[]> {
  const compiledTemplates = await compileItemTemplates(context, ref, request)
  const executionResults = await inTransaction(context.db, async (tx) => {
    const { batch, given: resolvedItems } = await resolveExecution(tx, context, ref, {
      ...request,
      compiled: compiledTemplates,
    })
    const { results, events } = await sendExecutionItems(tx, batch, resolvedItems)
    await appendEvents(tx, events)
    return results
  })
  signalDueWork(context.db)
  return executionResults
}
