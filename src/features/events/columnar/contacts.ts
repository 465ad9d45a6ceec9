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
  /** Number of contacts. */
  size: number
}

/** A criterion to count over the events in the store. */
export interface StoreEventCriterion {
  criterion: EventCriterion
  /** Milliseconds: events before it alone. */
  until: number
  /** These contacts alone; undefined: all. */
  among: readonly number[] | undefined
  /** Number of events of a contact: a range that the store compares; `any`: at least one; `counted`: the numbers are returned. */
  count: EventCountRange | 'any' | 'counted'
  /** Ends the wait: the store is then taken to be away. */
  signal: AbortSignal
}

function buildActionCondition({ addressed, mobile }: NonNullable<EventCriterion['actions']>): ClickHouseFragment {
  const actionConditions = [
    ...(addressed.length > 0
      ? [
          clickHouseSql`channel in ${stringArrayParam(messageActionChannels)} and subject in ${formatNumberList(addressed)}`,
        ]
      : []),
    ...(mobile.length > 0
      ? [clickHouseSql`channel in ${stringArrayParam(mobileChannels)} and subject in ${formatNumberList(mobile)}`]
      : []),
  ]
  return actionConditions.length === 0
    ? rawClickHouseSql('false')
    : clickHouseSql`(${joinClickHouseFragments(actionConditions, ' or ')})`
}

function buildConditions({ criterion, until, among }: StoreEventCriterion): ClickHouseFragment {
  const { kinds, channel, actions, start, end, robots } = criterion
  const endInstant = end === undefined ? until : Math.min(until, Date.parse(end))
  return joinClickHouseConditions([
    accountCondition,
    clickHouseSql`channel in ${stringArrayParam(channel === undefined ? findKindChannels(kinds) : [channel])}`,
    ...(actions ? [buildActionCondition(actions)] : []),
    clickHouseSql`kind in ${stringArrayParam(kinds)}`,
    rawClickHouseSql('is_test = 0'),
    among ? clickHouseSql`contact in ${formatNumberList(among)}` : rawClickHouseSql('contact <> 0'),
    ...(start === undefined ? [] : [clickHouseSql`at >= ${instantParam(Date.parse(start))}`]),
    clickHouseSql`at < ${instantParam(endInstant)}`,
    ...(robots || !kinds.some(isClassifiedKind) ? [] : [rawClickHouseSql("classification = ''")]),
  ])
}

function buildHavingClause({ least, most, outside }: EventCountRange): ClickHouseFragment {
  const isInRange =
    most === Number.POSITIVE_INFINITY
      ? clickHouseSql`count() >= ${int64Param(least)}`
      : clickHouseSql`count() between ${int64Param(least)} and ${int64Param(most)}`
  return clickHouseSql`having (${isInRange}) <> ${rawClickHouseSql(String(outside))}`
}

function chooseTable({ criterion: { actions }, among }: StoreEventCriterion): EventStoreTableName {
  if (among) return 'events_by_contact'
  return actions ? 'events_by_subject' : 'events_by_time'
}

/** Element types of arrays (their oids), and bytes of an element. */
const INT8 = { type: 20, bytes: 8 }
const INT4 = { type: 23, bytes: 4 }
const ARRAY_HEADER_BYTES = 20
/** Before each element stands its length. */
const ELEMENT_LENGTH_BYTES = 4

/** The store writes elements in the format PostgreSQL reads: the length and the value, highest byte first. */
const elementColumns = {
  contact: rawClickHouseSql('byteSwap(toUInt32(8)), byteSwap(contact)'),
  count: rawClickHouseSql('byteSwap(toUInt32(4)), byteSwap(toInt32(least(count(), 2147483647)))'),
}

/** The beginning of an array of one dimension without nulls. */
function buildArrayHeader({ type }: { type: number }, size: number): Buffer {
  const headerBytes = Buffer.alloc(size === 0 ? ARRAY_HEADER_BYTES - 8 : ARRAY_HEADER_BYTES)
  headerBytes.writeInt32BE(size === 0 ? 0 : 1, 0)
  headerBytes.writeInt32BE(type, 8)
  if (size > 0) {
    headerBytes.writeInt32BE(size, 12)
    headerBytes.writeInt32BE(1, 16)
  }
  return headerBytes
}

async function readChunks(stream: Readable, signal: AbortSignal): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(stream, 'end', { signal })
  return chunks
}

/** Takes rows of a contact and a number apart: their words of 4 bytes are moved as they are. */
function splitCountedRows(chunks: readonly Buffer[]): StoreContactArrays {
  const rowBytes = Buffer.concat(chunks)
  const [contactBytes, countBytes] = [ELEMENT_LENGTH_BYTES + INT8.bytes, ELEMENT_LENGTH_BYTES + INT4.bytes]
  const size = rowBytes.length / (contactBytes + countBytes)
  const words = new Int32Array(rowBytes.buffer.slice(rowBytes.byteOffset, rowBytes.byteOffset + rowBytes.length))
  const contacts = new Int32Array(size * 3)
  const counts = new Int32Array(size * 2)
  for (let row = 0, wordIndex = 0; row < size; row++, wordIndex += 5) {
    contacts[row * 3] = words[wordIndex]!
    contacts[row * 3 + 1] = words[wordIndex + 1]!
    contacts[row * 3 + 2] = words[wordIndex + 2]!
    counts[row * 2] = words[wordIndex + 3]!
    counts[row * 2 + 1] = words[wordIndex + 4]!
  }
  return {
    contacts: Buffer.concat([buildArrayHeader(INT8, size), Buffer.from(contacts.buffer)]),
    counts: Buffer.concat([buildArrayHeader(INT4, size), Buffer.from(counts.buffer)]),
    size,
  }
}

function buildContactArray(chunks: readonly Buffer[]): StoreContactArrays {
  const size = chunks.reduce((sum, { length }) => sum + length, 0) / (ELEMENT_LENGTH_BYTES + INT8.bytes)
  return { contacts: Buffer.concat([buildArrayHeader(INT8, size), ...chunks]), counts: undefined, size }
}

/** The contacts that have such events in the store, each once; a contact may have been deleted since. Throws `event-history-away`. */
export async function readCriterionContacts(
  store: EventStore,
  storeCriterion: StoreEventCriterion,
): Promise<StoreContactArrays> {
  const { count, criterion, signal } = storeCriterion
  const isCounted = count === 'counted'
  const selectedColumns = isCounted
    ? clickHouseSql`${elementColumns.contact}, ${elementColumns.count}`
    : elementColumns.contact
  const havingClause = typeof count === 'string' ? rawClickHouseSql('') : buildHavingClause(count)
  const statement = clickHouseSql`select ${selectedColumns} from ${rawClickHouseSql(chooseTable(storeCriterion))} where ${buildConditions(storeCriterion)} group by contact ${havingClause} format RowBinary`
  try {
    // The answer begins when it is whole, so that none is cut short by a failure.
    const querySettings = { wait_end_of_query: 1 } as const
    const stream = await store.bytes({ account: criterion.account, statement, settings: querySettings, signal })
    const chunks = await readChunks(stream, signal)
    return isCounted ? splitCountedRows(chunks) : buildContactArray(chunks)
  } catch (error) {
    throw signal.aborted ? createStoreAwayProblem(error) : error
  }
}
