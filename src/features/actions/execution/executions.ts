import { sql } from 'kysely'
import { getActionChannel, getChannelTraits, type SendingChannelName } from '../../../channels/facts.ts'
import { listFamilyActionTypes } from '../../../channels/families.ts'
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
import type { ActionExecutionResult, RequestedItem } from './item-schemas.ts'
import {
  type AddressedItem,
  findExcludedCopies,
  findItemContacts,
  type ItemContacts,
  toAddressedItems,
} from './recipients.ts'

/** What an execution needs of its action. */
interface Executed extends ActionStatus {
  settings: StoredActionSettings
  version: number | null
}

/** What a route was given: its items, whether they came as a list, and the channel its media type names. */
export interface ActionItemsRequest<Item> {
  items: readonly Item[]
  isList: boolean
  channel: SendingChannelName | undefined
  /** As of a batch. */
  routeOf?: ExecutionBatch['routeOf']
}

async function loadExecuted(db: Db, { family, account, id }: ActionRef): Promise<Executed> {
  const { rows } = await sql<Executed>`${buildPreparedPrefix('action-executed')}
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

/** What an execution was asked for, once it is found valid. */
interface Execution {
  action: Executed & { version: number }
  items: readonly AddressedItem[]
}

/** Throws what executeAction throws before it looks at contacts and templates. */
async function readExecution(
  db: Db,
  ref: ActionRef,
  { items, isList, channel }: ActionItemsRequest<RequestedItem>,
): Promise<Execution> {
  const action = await loadExecuted(db, ref)
  decideActionTransition('read', action)
  requireSameChannel(getActionChannel(action.type), channel)
  requireChannelMembers(getActionChannel(action.type), items, isList)
  const given = toAddressedItems(items, isList)
  decideActionTransition('execute', action)
  requireOverridableContent(items, action.settings)
  const { version } = action
  if (version === null) throw new Error(`action ${ref.id} is validated and has no version`)
  return { action: { ...action, version }, items: given }
}

/** The item's own stamp id, in lower case; undefined when it has none. */
function givenStamp({ stamp }: RequestedItem): string | undefined {
  return stamp?.id == null ? undefined : parseUuid(stamp.id)
}

type Success = Extract<ActionExecutionResult, { type: 'success' }>

/** The footprints of contacts, read where they are not known yet; a contact that is gone has its id alone. */
export async function readContactFootprints(
  db: Db,
  account: AccountId,
  contacts: readonly (number | null)[],
  known: readonly FoundContact[],
): Promise<(contact: number | null) => Success['recipient']> {
  const footprints = new Map(known.map((one) => [one.id, toFootprint(one)]))
  const others = contacts.filter((contact) => contact !== null && !footprints.has(contact))
  if (others.length > 0) {
    const { rows } = await sql<{ id: number; unicity: string; hash: string }>`
      select id, unicity, encode(hash, 'hex') as hash from contacts
      where account = ${account} and id = any(${others}::bigint[])`.execute(db)
    for (const row of rows) footprints.set(row.id, toFootprint(row))
  }
  return (contact) =>
    contact === null ? null : (footprints.get(contact) ?? { type: 'id', value: formatContactId(contact) })
}

async function batchOf(
  tx: Db,
  config: ServiceContext['config'],
  { action, items }: Execution,
  asked: Pick<ExecutionBatch, 'account' | 'templates' | 'now' | 'routeOf'> & { named: readonly ItemContacts[] },
): Promise<ExecutionBatch> {
  const { account, named, now, templates, routeOf } = asked
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
    excluded: await findExcludedCopies(tx, account, settings.field, named),
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
  given: readonly ResolvedExecutionItem[],
): Promise<SentExecutionItems> {
  const { account, now } = batch
  const prepared = given.map((one) => prepareExecutionItem(one, batch))
  // An item whose stamp is known answers as it did first, whatever is wrong with it now.
  const faulty = given.flatMap(({ item }, index) => (prepared[index]?.type === 'error' ? (givenStamp(item) ?? []) : []))
  const known = await findMessages(tx, account, faulty)
  const requests = prepared.flatMap((one) => (one.type === 'message' ? [one.send] : []))
  const { answers, events } = await requestSends(tx, requests, new Date(now))
  const answered = new Map([
    ...[...known].map(([stamp, { contact }]) => [stamp, contact] as const),
    ...requests.map(({ stamp }, index) => [stamp.id, answers[index]!.contact] as const),
  ])
  const found = prepared.flatMap((one) => (one.type === 'message' ? [one.contact] : []))
  const recipientOf = await readContactFootprints(tx, account, [...answered.values()], found)
  const success = (id: string, contact: number | null): Success => {
    return { type: 'success', id, recipient: recipientOf(contact) }
  }
  const results = prepared.map((one, index): ActionExecutionResult => {
    if (one.type === 'message') return success(one.send.stamp.id, answered.get(one.send.stamp.id) ?? null)
    const first = known.get(givenStamp(given[index]!.item) ?? '')
    return first ? success(first.stamp.id, first.contact) : one
  })
  return { results, events }
}

/** What an item was answered whose stamp is known to the account; undefined when its stamp is new, or it has none. */
export async function findFirstResult(tx: Db, account: AccountId, item: RequestedItem): Promise<Success | undefined> {
  const stamp = givenStamp(item)
  if (stamp === undefined) return undefined
  const first = (await findMessages(tx, account, [stamp])).get(stamp)
  if (!first) return undefined
  const recipientOf = await readContactFootprints(tx, account, [first.contact], [])
  return { type: 'success', id: first.stamp.id, recipient: recipientOf(first.contact) }
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
  const { action, items } = await readExecution(context.db, ref, request)
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
  const execution = await readExecution(tx, ref, request)
  const { items } = execution
  const copies = items.map((item) => item.copies ?? [])
  const named = await findItemContacts(tx, account, items, copies)
  const now = clock.now()
  const templates = await storeTemplateOverrides(tx, account, request.compiled, new Date(now))
  const batch = await batchOf(tx, config, execution, { account, templates, now, named, routeOf: request.routeOf })
  const newIds = createUuidsV7(items.length, now)
  return { batch, given: items.map((item, index) => ({ item, named: named[index]!, newId: newIds[index]! })) }
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
  const compiled = await compileItemTemplates(context, ref, request)
  const sent = await inTransaction(context.db, async (tx) => {
    const { batch, given } = await resolveExecution(tx, context, ref, { ...request, compiled })
    const { results, events } = await sendExecutionItems(tx, batch, given)
    await appendEvents(tx, events)
    return results
  })
  signalDueWork(context.db)
  return sent
}
