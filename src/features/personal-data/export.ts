import { sql } from 'kysely'
import { type ChannelRedListName, channelRedListNames } from '../../channels/facts.ts'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { AnswerChunk } from '../../lib/files/eager-stream.ts'
import { formatContactId } from '../../lib/ids.ts'
import { listArchives } from '../archives/archives.ts'
import { toBounceName } from '../contacts/bounces/bounce-codes.ts'
import { readContact } from '../contacts/records/contacts.ts'
import { jsonArrayFraming, streamEventRecords } from '../events/history/history.ts'
import { parseEventRequest } from '../events/history/reading.ts'
import { eventListScopes, expandEventLists } from '../events/history/scopes.ts'
import { listReceivedNotifications } from '../notifications/history/history.ts'
import { readCountedMessages } from '../pressure/counters/counted.ts'
import { listContactSegments } from '../segments/segments.ts'
import { listContactSubscriptions } from '../subscriptions/subscriptions.ts'
import { streamContactWebtaskRuns } from '../webtasks/executions/erasure.ts'
import { streamContactRuns } from '../workflows/runs/runs-of-contact.ts'
import type { ContactBounce, ContactRedList } from './export-schemas.ts'

type Source = Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'config'>

/** What is exported of whom. */
interface Export {
  db: Db
  context: Source
  account: AccountId
  contact: number
  /** Milliseconds. */
  now: number
}

type Detail = Record<string, unknown>

async function redListOf({ db, account, contact }: Export): Promise<ContactRedList> {
  const { rows: entries } = await sql<{ channel: ChannelRedListName; at: Date; origin: number; detail: Detail }>`
    select channel, listed_at as at, origin, detail from red_list
    where account = ${account} and channel = any(${channelRedListNames}::text[]) and contact = ${contact}`.execute(db)
  const { rows: removals } = await sql<{
    channel: ChannelRedListName
    at: Date
    reason: string
    key: string | null
    listedAt: Date
    origin: number
    detail: Detail
  }>`
    select r.channel, r.removed_at as at, r.reason, coalesce(k.name, r.entry ->> 'removedBy') as key, (r.entry ->> 'timestamp')::timestamptz as "listedAt",
      (r.entry ->> 'origin')::integer as origin, r.entry -> 'detail' as detail
    from red_list_removals r left join api_keys k on k.id = r.api_key
    where r.account = ${account} and r.contact = ${contact} order by r.id`.execute(db)
  const entryOf = (at: Date, origin: number, detail: Detail) => ({ timestamp: at.toISOString(), origin, detail })
  return {
    ...Object.fromEntries(entries.map(({ channel, at, origin, detail }) => [channel, entryOf(at, origin, detail)])),
    removals: removals.map(({ channel, at, reason, key, listedAt, origin, detail }) => {
      return { channel, timestamp: at.toISOString(), reason, key, entry: entryOf(listedAt, origin, detail) }
    }),
  }
}

async function bouncesOf({ db, account, contact }: Export): Promise<ContactBounce[]> {
  const { rows } = await sql<{ code: number; fieldId: number; reason: string; at: Date }>`
    select code, field as "fieldId", reason, flagged_at as at from bounce_flags
    where account = ${account} and contact = ${contact} order by field`.execute(db)
  return rows.map(({ code, fieldId, reason, at }) => {
    return { type: toBounceName(code), fieldId, detail: { message: reason }, timestamp: at.toISOString() }
  })
}

/** Bytes of one piece, at most: an export is many short pieces. */
const PIECE = 1_000_000

/** A record is on a line of its own: pieces end with a line. */
function* piecesOf(chunk: AnswerChunk): Generator<string> {
  if (typeof chunk === 'string') return yield chunk
  for (let at = 0; at < chunk.length; ) {
    const end = at + PIECE < chunk.length ? chunk.indexOf('\n', at + PIECE) + 1 || chunk.length : chunk.length
    yield chunk.toString('utf8', at, end)
    at = end
  }
}

/** Every event of the contact, of machines too, as the list of a contact's events has them. */
async function* eventsOf({ db, account, contact }: Export): AsyncGenerator<string> {
  const scope = eventListScopes.find(({ path }) => path === '/targets/:id/events')
  const list = scope && expandEventLists(scope).find(({ suffix }) => suffix === '')
  if (!list) throw new Error('there is no list of the events of a contact')
  const query = { classification: 'all' }
  const { reading } = await parseEventRequest(db, { account, list, id: formatContactId(contact), query })
  for await (const chunk of streamEventRecords(db, reading, jsonArrayFraming)) yield* piecesOf(chunk)
}

async function* arrayOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let opening = '['
  for await (const item of items) {
    yield opening + JSON.stringify(item)
    opening = ','
  }
  yield opening === '[' ? '[]' : ']'
}

/** The members of an export, in their order: a value, or its JSON piece by piece where it can be of any length. */
const members: Record<string, (of: Export) => AsyncIterable<string> | unknown> = {
  contact: ({ db, account, contact }) => readContact(db, account, contact, { bare: false }),
  segments: ({ db, account, contact, now }) => listContactSegments(db, account, contact, { type: undefined, now }),
  subscriptions: ({ db, account, contact }) => listContactSubscriptions(db, account, contact),
  redList: redListOf,
  bounces: bouncesOf,
  pressure: ({ db, account, contact }) => readCountedMessages(db, { account, contact }),
  events: eventsOf,
  notifications: ({ db, account, contact }) => arrayOf(listReceivedNotifications(db, account, contact)),
  archives: ({ context, account, contact }) => arrayOf(listArchives(context, { account, contact })),
  runs: ({ db, account, contact }) => arrayOf(streamContactRuns(db, account, contact)),
  webtaskRuns: ({ db, account, contact }) => arrayOf(streamContactWebtaskRuns(db, account, contact)),
  exportDate: ({ now }) => new Date(now).toISOString(),
}

function isText(value: unknown): value is AsyncIterable<string> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * Everything that is kept of a contact as one JSON document, piece by piece, in constant memory. Throws notFound before
 * the first piece.
 */
export async function* exportContact(context: Source, account: AccountId, contact: number): AsyncGenerator<string> {
  const of = { db: context.db, context, account, contact, now: context.clock.now() }
  let opening = '{'
  for (const [name, read] of Object.entries(members)) {
    const value = await read(of)
    yield `${opening}"${name}":${isText(value) ? '' : JSON.stringify(value)}`
    if (isText(value)) yield* value
    opening = ','
  }
  yield '}'
}
