import { sql } from 'kysely'
import { type ChannelRedListName, channelRedListNames } from '../../channels/channel-traits.ts'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { AnswerChunk } from '../../lib/files/eager-stream.ts'
import { formatContactId } from '../../lib/ids.ts'
import { listArchives } from '../archives/archives.ts'
import { toBounceName } from '../contacts/bounce-flags/bounce-codes.ts'
import { readContact } from '../contacts/records/contacts.ts'
import { jsonArrayFraming, streamEventRecords } from '../events/history/history.ts'
import { parseEventRequest } from '../events/history/reading.ts'
import { eventListScopes, expandEventLists } from '../events/history/scopes.ts'
import { listReceivedNotifications } from '../notifications/history/history.ts'
import { readCountedMessages } from '../pressure/counters/counted.ts'
import { listContactSegments } from '../segments/segments.ts'
import { listContactSubscriptions } from '../subscriptions/subscriptions.ts'
import { streamContactWebtaskRuns } from '../webtasks/executions/erasure.ts'
import { streamContactRuns } from '../workflows/runs/contact-runs.ts'
import type { ContactBounce, ContactRedList } from './export-schemas.ts'

type ExportSource = Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'config'>

/** Input of the export of a contact. */
interface ContactExport {
  db: Db
  context: ExportSource
  account: AccountId
  contact: number
  /** Milliseconds. */
  now: number
}

type EntryDetail = Record<string, unknown>

async function readRedList({ db, account, contact }: ContactExport): Promise<ContactRedList> {
  const { rows: entries } = await sql<{ channel: ChannelRedListName; at: Date; origin: number; detail: EntryDetail }>`
    select channel, listed_at as at, origin, detail from red_list
    where account = ${account} and channel = any(${channelRedListNames}::text[]) and contact = ${contact}`.execute(db)
  const { rows: removals } = await sql<{
    channel: ChannelRedListName
    at: Date
    reason: string
    key: string | null
    listedAt: Date
    origin: number
    detail: EntryDetail
  }>`
    select r.channel, r.removed_at as at, r.reason, coalesce(k.name, r.entry ->> 'removedBy') as key, (r.entry ->> 'timestamp')::timestamptz as "listedAt",
      (r.entry ->> 'origin')::integer as origin, r.entry -> 'detail' as detail
    from red_list_removals r left join api_keys k on k.id = r.api_key
    where r.account = ${account} and r.contact = ${contact} order by r.id`.execute(db)
  const buildEntry = (at: Date, origin: number, detail: EntryDetail) => ({
    timestamp: at.toISOString(),
    origin,
    detail,
  })
  return {
    ...Object.fromEntries(entries.map(({ channel, at, origin, detail }) => [channel, buildEntry(at, origin, detail)])),
    removals: removals.map(({ channel, at, reason, key, listedAt, origin, detail }) => {
      return { channel, timestamp: at.toISOString(), reason, key, entry: buildEntry(listedAt, origin, detail) }
    }),
  }
}

async function readBounces({ db, account, contact }: ContactExport): Promise<ContactBounce[]> {
  const { rows } = await sql<{ code: number; fieldId: number; reason: string; at: Date }>`
    select code, field as "fieldId", reason, flagged_at as at from bounce_flags
    where account = ${account} and contact = ${contact} order by field`.execute(db)
  return rows.map(({ code, fieldId, reason, at }) => {
    return { type: toBounceName(code), fieldId, detail: { message: reason }, timestamp: at.toISOString() }
  })
}

/** Bytes of one piece, at most: an export is many short pieces. */
const MAX_PIECE_BYTES = 1_000_000

/** A record is on a line of its own: pieces end with a line. */
function* splitIntoPieces(chunk: AnswerChunk): Generator<string> {
  if (typeof chunk === 'string') return yield chunk
  for (let pieceStart = 0; pieceStart < chunk.length; ) {
    const pieceEnd =
      pieceStart + MAX_PIECE_BYTES < chunk.length
        ? chunk.indexOf('\n', pieceStart + MAX_PIECE_BYTES) + 1 || chunk.length
        : chunk.length
    yield chunk.toString('utf8', pieceStart, pieceEnd)
    pieceStart = pieceEnd
  }
}

/** Every event of the contact, of machines too, as the list of a contact's events has them. */
async function* streamEvents({ db, account, contact }: ContactExport): AsyncGenerator<string> {
  const scope = eventListScopes.find(({ path }) => path === '/targets/:id/events')
  const list = scope && expandEventLists(scope).find(({ suffix }) => suffix === '')
  if (!list) throw new Error('there is no list of the events of a contact')
  const query = { classification: 'all' }
  const { reading } = await parseEventRequest(db, { account, list, id: formatContactId(contact), query })
  for await (const chunk of streamEventRecords(db, reading, jsonArrayFraming)) yield* splitIntoPieces(chunk)
}

async function* streamJsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let prefix = '['
  for await (const item of items) {
    yield prefix + JSON.stringify(item)
    prefix = ','
  }
  yield prefix === '[' ? '[]' : ']'
}

/** The members of an export, in their order: a value, or its JSON piece by piece where it can be of any length. */
const exportMembers: Record<string, (of: ContactExport) => AsyncIterable<string> | unknown> = {
  contact: ({ db, account, contact }) => readContact(db, account, contact, { bare: false }),
  segments: ({ db, account, contact, now }) => listContactSegments(db, account, contact, { type: undefined, now }),
  subscriptions: ({ db, account, contact }) => listContactSubscriptions(db, account, contact),
  redList: readRedList,
  bounces: readBounces,
  pressure: ({ db, account, contact }) => readCountedMessages(db, { account, contact }),
  events: streamEvents,
  notifications: ({ db, account, contact }) => streamJsonArray(listReceivedNotifications(db, account, contact)),
  archives: ({ context, account, contact }) => streamJsonArray(listArchives(context, { account, contact })),
  runs: ({ db, account, contact }) => streamJsonArray(streamContactRuns(db, account, contact)),
  webtaskRuns: ({ db, account, contact }) => streamJsonArray(streamContactWebtaskRuns(db, account, contact)),
  exportDate: ({ now }) => new Date(now).toISOString(),
}

function isTextStream(value: unknown): value is AsyncIterable<string> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * Everything that is kept of a contact as one JSON document, piece by piece, in constant memory. Throws notFound before
 * the first piece.
 */
export async function* exportContact(
  context: ExportSource,
  account: AccountId,
  contact: number,
): AsyncGenerator<string> {
  const contactExport = { db: context.db, context, account, contact, now: context.clock.now() }
  let prefix = '{'
  for (const [name, readMember] of Object.entries(exportMembers)) {
    const value = await readMember(contactExport)
    yield `${prefix}"${name}":${isTextStream(value) ? '' : JSON.stringify(value)}`
    if (isTextStream(value)) yield* value
    prefix = ','
  }
  yield '}'
}
