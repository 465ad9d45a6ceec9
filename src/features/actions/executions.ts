import { sql } from 'kysely'
import { type ChannelName, channelOfAction } from '../../channels/facts.ts'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { reachOf } from '../../lib/guarded-client.ts'
import { actionId, contactId, readUuid, uuidV7 } from '../../lib/ids.ts'
import { lanes } from '../../lib/lanes.ts'
import { conflict, notFound } from '../../lib/problem.ts'
import { findMessages } from '../../outbox/by-stamp.ts'
import { queueMessages } from '../../outbox/outbox.ts'
import { openDoor } from '../../outbox/sendings.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import { footprintOf } from '../contacts/find.ts'
import { appendEvents } from '../events/append.ts'
import { execution } from '../events/record.ts'
import { type Batch, type Prepared, type PreparedItem, prepareItem } from './execution-items.ts'
import { refuseForeignMembers } from './foreign-members.ts'
import type { ExecutionItem, ExecutionResult } from './item-schemas.ts'
import { freezeTemplates } from './override-versions.ts'
import { addressed, excludedCopies, findNamed, type Named } from './recipients.ts'
import { decide, refuseOtherChannel, type Standing } from './states.ts'
import type { StoredSettings } from './stored.ts'

/** What an execution needs of its action. */
interface Executed extends Standing {
  settings: StoredSettings
  version: number | null
}

/** What a route was given: its items, whether they came as a list, and the channel its media type names. */
export interface ItemsRequest<Item> {
  items: readonly Item[]
  isList: boolean
  channel: ChannelName | undefined
}

async function loadExecuted(db: Db, account: AccountId, id: number): Promise<Executed> {
  const { rows } = await sql<Executed>`
    select id, type, state, false as paused, deleted_at, settings, version from actions where account = ${account} and id = ${id}`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw notFound('action', actionId(id))
  return row
}

/** Throws conflict when an item replaces the content of an action whose language does not allow it. */
export function refuseOverrides(
  items: readonly Pick<ExecutionItem, 'content'>[],
  { templating }: Pick<StoredSettings, 'templating'>,
): void {
  if (templating.version !== '4.1' && items.some(({ content }) => content != null)) {
    throw conflict(
      'content-fixed',
      `The action's settings.templating.version is ${templating.version}: only "4.1" lets a send replace the content.`,
    )
  }
}

type Success = Extract<ExecutionResult, { type: 'success' }>

/** What stamps that are known already were used for: a success that names the first contact. */
async function knownStamps(db: Db, account: AccountId, stamps: readonly string[]): Promise<Map<string, Success>> {
  if (stamps.length === 0) return new Map()
  const known = await findMessages(db, account, stamps)
  const first = [...known].map(([stamp, { contact }]) => ({ stamp, contact }))
  const { rows } = await sql<{ id: number; unicity: string; hash: string }>`
    select id, unicity, encode(hash, 'hex') as hash from contacts
    where account = ${account} and id = any(${first.map(({ contact }) => contact)}::bigint[])`.execute(db)
  const contacts = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    first.map(({ stamp, contact }): [string, Success] => {
      const present = contact === null ? undefined : contacts.get(contact)
      const gone = contact === null ? null : ({ type: 'id', value: contactId(contact) } as const)
      return [stamp, { type: 'success', id: stamp, recipient: present ? footprintOf(present) : gone }]
    }),
  )
}

/** The items' own stamp ids, in lower case; undefined where an item has none. */
function givenStamps(items: readonly ExecutionItem[]): (string | undefined)[] {
  return items.map(({ stamp }) => (stamp?.id == null ? undefined : readUuid(stamp.id)))
}

/** The messages in their order, of several with one stamp the first. */
function firstOfEachStamp(prepared: readonly Prepared[]): PreparedItem[] {
  const messages = new Map<string, PreparedItem>()
  for (const one of prepared) {
    if (one.type === 'message' && !messages.has(one.message.stamp.id)) messages.set(one.message.stamp.id, one)
  }
  return [...messages.values()]
}

/** The order in which requests that share stamps take them, so that none waits for another in a ring. */
function byStamp(a: PreparedItem, b: PreparedItem): number {
  return a.message.stamp.id < b.message.stamp.id ? -1 : 1
}

function eventOf({ message, contact }: PreparedItem, { account, action }: Batch) {
  const { stamp, request } = message
  const send = {
    account,
    channel: message.channel,
    action: action.id,
    kind: 'message',
    contact: contact.id,
    footprint: footprintOf(contact),
  } as const
  return execution(
    { ...send, field: action.settings.field, stamp },
    { data: request.data ?? {}, origin: { type: 'api' } },
  )
}

/**
 * Queues messages with their copies, and writes the events of those whose stamps are new. Gives what each stamp came
 * to: a stamp that another request took meanwhile, what it was used for.
 */
async function send(tx: Db, batch: Batch, messages: readonly PreparedItem[]): Promise<Map<string, Success>> {
  const now = new Date(batch.now)
  const fresh = await queueMessages(
    tx,
    messages.map(({ message }) => message),
    now,
  )
  const isFresh = ({ message }: PreparedItem): boolean => fresh.has(message.stamp.id)
  const sent = messages.filter(isFresh)
  await queueMessages(
    tx,
    sent.flatMap(({ copies }) => copies),
    now,
  )
  const lost = messages.filter((one) => !isFresh(one)).map(({ message }) => message.stamp.id)
  const results = await knownStamps(tx, batch.account, lost)
  for (const { message, contact } of sent) {
    const { id } = message.stamp
    results.set(id, { type: 'success', id, recipient: footprintOf(contact) })
  }
  await appendEvents(
    tx,
    sent.map((one) => eventOf(one, batch)),
  )
  return results
}

interface Asked {
  action: Executed
  items: readonly ExecutionItem[]
  named: readonly Named[]
  now: number
}

async function batchOf(
  tx: Db,
  { renders, config }: Pick<Context, 'renders' | 'config'>,
  account: AccountId,
  { action, items, named, now }: Asked,
): Promise<Batch> {
  if (action.version === null) throw new Error(`action ${action.id} is validated and has no version`)
  const hasUrls = items.some(({ attachments }) => attachments?.some(({ data }) => data.type === 'url'))
  const hosts = hasUrls ? (await readSendingSettings(tx, account)).attachmentHosts : []
  const excluded = await excludedCopies(tx, account, action.settings.field, named)
  const { version } = action
  const templates = await freezeTemplates({ tx, renders }, { account, version, now }, items)
  const channel = channelOfAction(action.type)
  const door = {
    account,
    channel,
    sourceKind: 'action',
    source: action.id,
    version,
    lane: lanes.transactional,
  } as const
  return {
    account,
    channel,
    sending: await openDoor(tx, door, new Date(now)),
    action,
    version,
    templates,
    set: uuidV7(now),
    now,
    excluded,
    places: { hosts, reach: reachOf(config.outgoingAllow) },
  }
}

/**
 * Sends an action's message to each contact named, and answers in the order of the items; success means that the
 * message and its execution event are stored. A stamp id used before answers as then, and nothing is sent again.
 * Throws notFound, 415, 400, and conflict for the state or an override; then nothing is sent.
 */
export function executeAction(
  { db, clock, renders, config }: Pick<Context, 'db' | 'clock' | 'renders' | 'config'>,
  account: AccountId,
  id: number,
  { items, isList, channel }: ItemsRequest<ExecutionItem>,
): Promise<ExecutionResult[]> {
  return inTransaction(db, async (tx) => {
    const action = await loadExecuted(tx, account, id)
    decide('read', action)
    refuseOtherChannel(channelOfAction(action.type), channel)
    refuseForeignMembers(channelOfAction(action.type), items, isList)
    const given = addressed(items, isList)
    decide('execute', action)
    refuseOverrides(items, action.settings)
    const copies = given.map((item) => item.copies ?? [])
    const named = await findNamed(tx, account, given, copies)
    const batch = await batchOf(tx, { renders, config }, account, { action, items, named, now: clock.now() })
    const prepared = given.map((item, index) => prepareItem(item, named[index]!, batch))
    const stamps = givenStamps(items)
    const known = await knownStamps(
      tx,
      account,
      stamps.filter((stamp) => stamp !== undefined),
    )
    const waiting = firstOfEachStamp(prepared).filter(({ message }) => !known.has(message.stamp.id))
    const sent = await send(tx, batch, stamps.some(Boolean) ? waiting.toSorted(byStamp) : waiting)
    return prepared.map((one, index): ExecutionResult => {
      const first = known.get(stamps[index] ?? '')
      if (first) return first
      if (one.type === 'error') return one
      const { id: stamp } = one.message.stamp
      return sent.get(stamp) ?? { type: 'success', id: stamp, recipient: footprintOf(one.contact) }
    })
  })
}
