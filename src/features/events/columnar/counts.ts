import { readVarintLength, splitBinaryRows } from '../columnar-copy/binary-rows.ts'
import type { EventSelection } from '../history/filters.ts'
import type { EventKind } from '../kinds/event-kinds.ts'
import { buildStoreConditions, chooseEventTable } from './conditions.ts'
import {
  type ClickHouseFragment,
  clickHouseSql,
  formatNumberArray,
  instantParam,
  joinClickHouseConditions,
  joinClickHouseFragments,
  rawClickHouseSql,
  stringArrayParam,
} from './sql.ts'
import type { EventStore } from './store.ts'

/** A span of time in milliseconds: start inclusive, end exclusive. */
export type EventCountSpan = readonly [start: number, end: number]

/** From when on events belong to which bucket; null: to none. All in milliseconds. */
export interface BucketBoundary {
  start: number
  bucket: number | null
}

/** The events of a kind in one bucket, as the store counts them. */
export interface StoredBucketCounts {
  kind: EventKind
  bucket: Date
  humans: number
  robots: number
  /** Different ones, ascending, six bytes each. */
  contacts: Buffer
  lists: number
}

/** Spans that are searched one by one; of more, neighbours are searched together, and what is between them left out. */
const MAX_RANGES = 50
/** Marks the absence of a bucket: before all existing ones. */
const NO_BUCKET_MARK = -1e15

const ROW_HEADER_BYTES = 8 + 8 + 8 + 1
const CONTACT_BYTES = 8

/** Boundaries may be numerous: the hours of two years. */
const querySettings = { max_query_size: '8388608' } as const

/**
 * Counts what a selection holds within spans, as `countsOf` does in PostgreSQL, but by bucket: by kind and bucket, in this order. The
 * buckets are given: the rules of time zones are those of PostgreSQL. Spans ascend; each begins a piece.
 */
export async function* readStoredBucketCounts(
  store: EventStore,
  selection: EventSelection,
  { spans, pieces }: { spans: readonly EventCountSpan[]; pieces: readonly BucketBoundary[] },
): AsyncGenerator<StoredBucketCounts> {
  if (spans.length === 0) return
  const uniqueKinds = [...new Set(selection.kinds)]
  const statement = clickHouseSql`
    select bucket, countIf(classification = '') as humans, countIf(classification <> '') as robots,
      toUInt8(indexOf(${stringArrayParam(uniqueKinds)}, any(toString(kind)))) as place,
      arraySort(groupUniqArrayIf(contact, classification = '' and contact <> 0)) as contacts
    from ${rawClickHouseSql(chooseEventTable(selection))}
    where ${buildStoreConditions(selection)} and is_test = 0
      and (kind = 'activations' or activation_at is not null or channel = 'display') and ${buildSpanCondition(spans)}
      and bucket > ${rawClickHouseSql(String(NO_BUCKET_MARK))}
    group by kind, ${buildBucketExpression(pieces)} as bucket
    order by kind, bucket
    format RowBinary`
  const stream = await store.bytes({ account: selection.account, statement, settings: querySettings })
  for await (const row of splitBinaryRows(stream, measureRow)) yield parseRow(row, uniqueKinds)
}

function buildSpanCondition(spans: readonly EventCountSpan[]): ClickHouseFragment {
  const groupSize = Math.ceil(spans.length / MAX_RANGES)
  const ranges: ClickHouseFragment[] = []
  for (let n = 0; n < spans.length; n += groupSize) {
    const [[start], [, end]] = [spans[n]!, spans[Math.min(n + groupSize, spans.length) - 1]!]
    ranges.push(
      joinClickHouseConditions([clickHouseSql`at >= ${instantParam(start)}`, clickHouseSql`at < ${instantParam(end)}`]),
    )
  }
  return clickHouseSql`(${joinClickHouseFragments(ranges, ' or ')})`
}

function buildBucketExpression(pieces: readonly BucketBoundary[]): ClickHouseFragment {
  const starts = formatNumberArray(pieces.map(({ start }) => start))
  const buckets = formatNumberArray(pieces.map(({ bucket }) => bucket ?? NO_BUCKET_MARK))
  return clickHouseSql`transform(roundDown(toUnixTimestamp64Milli(at), ${starts}), ${starts}, ${buckets}, ${rawClickHouseSql(String(NO_BUCKET_MARK))})`
}

function measureRow(buffer: Buffer, offset: number): number | undefined {
  const length = readVarintLength(buffer, offset + ROW_HEADER_BYTES)
  return length && ROW_HEADER_BYTES + length.bytes + CONTACT_BYTES * length.value
}

function parseRow(row: Buffer, kinds: readonly EventKind[]): StoredBucketCounts {
  const { value: count, bytes } = readVarintLength(row, ROW_HEADER_BYTES)!
  const contacts = Buffer.allocUnsafe(6 * count)
  for (let n = 0, contactOffset = ROW_HEADER_BYTES + bytes; n < count; n++, contactOffset += CONTACT_BYTES) {
    contacts.writeUInt16BE(row.readUInt16LE(contactOffset + 4), 6 * n)
    contacts.writeUInt32BE(row.readUInt32LE(contactOffset), 6 * n + 2)
  }
  return {
    kind: kinds[row[ROW_HEADER_BYTES - 1]! - 1]!,
    bucket: new Date(Number(row.readBigInt64LE(0))),
    humans: Number(row.readBigUInt64LE(8)),
    robots: Number(row.readBigUInt64LE(16)),
    contacts,
    lists: 1,
  }
}
