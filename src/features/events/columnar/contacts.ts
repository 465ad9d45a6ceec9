import { once } from 'node:events'
import type { Readable } from 'node:stream'
import {
  type EventCountRange,
  type EventCriterion,
  findKindChannels,
  messageActionChannels,
  mobileChannels,
} from '../history/criterion.ts'
import { isClassifiedKind } from '../kinds/event-kinds.ts'
import {
  accountCondition,
  type ClickHouseFragment,
  clickHouseSql,
  formatNumberList,
  instantParam,
  int64Param,
  joinClickHouseConditions,
  joinClickHouseFragments,
  rawClickHouseSql,
  stringArrayParam,
} from './sql.ts'
import { createStoreAwayProblem, type EventStore } from './store.ts'
import type { EventStoreTableName } from './tables.ts'

/** Arrays of PostgreSQL in its binary format: contacts, and where asked how many events each has. */
export interface StoreContactArrays {
  contacts: Buffer
  counts: Buffer | undefined
  /** How many contacts. */
  size: number
}

/** What is counted of events in the store. */
export interface StoreEventCriterion {
  criterion: EventCriterion
  /** Milliseconds: events before it alone. */
  until: number
  /** These contacts alone; undefined: all. */
  among: readonly number[] | undefined
  /** How many events a contact has: it is compared here; `any`: some; `counted`: the numbers are given. */
  count: EventCountRange | 'any' | 'counted'
  /** Ends the wait: the store is then taken to be away. */
  signal: AbortSignal
}

function ofActions({ addressed, mobile }: NonNullable<EventCriterion['actions']>): ClickHouseFragment {
  const sides = [
    ...(addressed.length > 0
      ? [
          clickHouseSql`channel in ${stringArrayParam(messageActionChannels)} and subject in ${formatNumberList(addressed)}`,
        ]
      : []),
    ...(mobile.length > 0
      ? [clickHouseSql`channel in ${stringArrayParam(mobileChannels)} and subject in ${formatNumberList(mobile)}`]
      : []),
  ]
  return sides.length === 0 ? rawClickHouseSql('false') : clickHouseSql`(${joinClickHouseFragments(sides, ' or ')})`
}

function conditions({ criterion, until, among }: StoreEventCriterion): ClickHouseFragment {
  const { kinds, channel, actions, start, end, robots } = criterion
  const before = end === undefined ? until : Math.min(until, Date.parse(end))
  return joinClickHouseConditions([
    accountCondition,
    clickHouseSql`channel in ${stringArrayParam(channel === undefined ? findKindChannels(kinds) : [channel])}`,
    ...(actions ? [ofActions(actions)] : []),
    clickHouseSql`kind in ${stringArrayParam(kinds)}`,
    rawClickHouseSql('is_test = 0'),
    among ? clickHouseSql`contact in ${formatNumberList(among)}` : rawClickHouseSql('contact <> 0'),
    ...(start === undefined ? [] : [clickHouseSql`at >= ${instantParam(Date.parse(start))}`]),
    clickHouseSql`at < ${instantParam(before)}`,
    ...(robots || !kinds.some(isClassifiedKind) ? [] : [rawClickHouseSql("classification = ''")]),
  ])
}

function having({ least, most, outside }: EventCountRange): ClickHouseFragment {
  const holds =
    most === Number.POSITIVE_INFINITY
      ? clickHouseSql`count() >= ${int64Param(least)}`
      : clickHouseSql`count() between ${int64Param(least)} and ${int64Param(most)}`
  return clickHouseSql`having (${holds}) <> ${rawClickHouseSql(String(outside))}`
}

function tableFor({ criterion: { actions }, among }: StoreEventCriterion): EventStoreTableName {
  if (among) return 'events_by_contact'
  return actions ? 'events_by_subject' : 'events_by_time'
}

/** Element types of arrays (their oids), and bytes of an element. */
const INT8 = { type: 20, bytes: 8 }
const INT4 = { type: 23, bytes: 4 }
const HEADER_BYTES = 20
/** Before each element stands its length. */
const LENGTH_BYTES = 4

/** What the store writes for an element is what PostgreSQL reads: its length and itself, the highest byte first. */
const elements = {
  contact: rawClickHouseSql('byteSwap(toUInt32(8)), byteSwap(contact)'),
  count: rawClickHouseSql('byteSwap(toUInt32(4)), byteSwap(toInt32(least(count(), 2147483647)))'),
}

/** The beginning of an array of one dimension without nulls. */
function header({ type }: { type: number }, size: number): Buffer {
  const bytes = Buffer.alloc(size === 0 ? HEADER_BYTES - 8 : HEADER_BYTES)
  bytes.writeInt32BE(size === 0 ? 0 : 1, 0)
  bytes.writeInt32BE(type, 8)
  if (size > 0) {
    bytes.writeInt32BE(size, 12)
    bytes.writeInt32BE(1, 16)
  }
  return bytes
}

async function chunksOf(stream: Readable, signal: AbortSignal): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(stream, 'end', { signal })
  return chunks
}

/** Takes rows of a contact and a number apart: their words of 4 bytes are moved as they are. */
function divided(chunks: readonly Buffer[]): StoreContactArrays {
  const all = Buffer.concat(chunks)
  const [wide, narrow] = [LENGTH_BYTES + INT8.bytes, LENGTH_BYTES + INT4.bytes]
  const size = all.length / (wide + narrow)
  const words = new Int32Array(all.buffer.slice(all.byteOffset, all.byteOffset + all.length))
  const contacts = new Int32Array(size * 3)
  const counts = new Int32Array(size * 2)
  for (let row = 0, at = 0; row < size; row++, at += 5) {
    contacts[row * 3] = words[at]!
    contacts[row * 3 + 1] = words[at + 1]!
    contacts[row * 3 + 2] = words[at + 2]!
    counts[row * 2] = words[at + 3]!
    counts[row * 2 + 1] = words[at + 4]!
  }
  return {
    contacts: Buffer.concat([header(INT8, size), Buffer.from(contacts.buffer)]),
    counts: Buffer.concat([header(INT4, size), Buffer.from(counts.buffer)]),
    size,
  }
}

function undivided(chunks: readonly Buffer[]): StoreContactArrays {
  const size = chunks.reduce((sum, { length }) => sum + length, 0) / (LENGTH_BYTES + INT8.bytes)
  return { contacts: Buffer.concat([header(INT8, size), ...chunks]), counts: undefined, size }
}

/** The contacts that have such events in the store, each once; a contact may have been deleted since. Throws `event-history-away`. */
export async function readCriterionContacts(
  store: EventStore,
  asked: StoreEventCriterion,
): Promise<StoreContactArrays> {
  const { count, criterion, signal } = asked
  const isCounted = count === 'counted'
  const shown = isCounted ? clickHouseSql`${elements.contact}, ${elements.count}` : elements.contact
  const kept = typeof count === 'string' ? rawClickHouseSql('') : having(count)
  const statement = clickHouseSql`select ${shown} from ${rawClickHouseSql(tableFor(asked))} where ${conditions(asked)} group by contact ${kept} format RowBinary`
  try {
    // The answer begins when it is whole, so that none is cut short by a failure.
    const settings = { wait_end_of_query: 1 } as const
    const stream = await store.bytes({ account: criterion.account, statement, settings, signal })
    const chunks = await chunksOf(stream, signal)
    return isCounted ? divided(chunks) : undivided(chunks)
  } catch (error) {
    throw signal.aborted ? createStoreAwayProblem(error) : error
  }
}
