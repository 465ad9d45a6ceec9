import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { buildTimeZoneExpression } from '../../../database/rows/zones.ts'
import { QUARTER_HOUR_MS } from '../../../lib/time/spans.ts'
import type { BucketBoundary, EventCountSpan, StoredBucketCounts } from '../columnar/counts.ts'

/** Returns the parts of spans before an instant. */
export function clipSpansBefore(spans: readonly EventCountSpan[], instant: number): EventCountSpan[] {
  return spans
    .map(([start, end]): EventCountSpan => [start, Math.min(end, instant)])
    .filter(([start, end]) => start < end)
}

/** The buckets of all quarters of spans, as the database cuts them in a zone: its rules of time zones are the only ones. */
export async function splitSpansIntoBuckets(
  db: Db,
  spans: readonly EventCountSpan[],
  { unit, zone }: { unit: 'hour' | 'day'; zone: string },
): Promise<BucketBoundary[]> {
  if (spans.length === 0) return []
  const [starts, ends] = [0, 1].map((n) => spans.map((span) => new Date(span[n]!)))
  const { rows: boundaryRows } = await sql<BucketBoundary>`
    with quarters as (
      select n, greatest(q, since) as start, date_trunc(${unit}, q, ${buildTimeZoneExpression(zone)}) as bucket
      from unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) with ordinality s (since, until, n)
        cross join lateral generate_series(quarter_of(since), until - interval '1 millisecond', ${QUARTER_HOUR_MS} * interval '1 millisecond') q)
    select (date_part('epoch', start) * 1000)::bigint as start, (date_part('epoch', bucket) * 1000)::bigint as bucket
    from (select *, lag(bucket) over (partition by n order by start) as former from quarters) q
    where bucket is distinct from former order by start`.execute(db)
  // Between two spans there is no bucket.
  const gaps = spans
    .filter(([, end], n) => spans[n + 1]?.[0] !== end)
    .map(([, end]): BucketBoundary => ({ start: end, bucket: null }))
  return [...boundaryRows, ...gaps].sort((a, b) => a.start - b.start)
}

type BucketPart = StoredBucketCounts

const compareParts = (firstPart: BucketPart, secondPart: BucketPart): number => {
  if (firstPart.kind !== secondPart.kind) return firstPart.kind < secondPart.kind ? -1 : 1
  return firstPart.bucket.getTime() - secondPart.bucket.getTime()
}

const sumParts = (firstPart: BucketPart, secondPart: BucketPart): BucketPart => ({
  ...firstPart,
  humans: firstPart.humans + secondPart.humans,
  robots: firstPart.robots + secondPart.robots,
  contacts: Buffer.concat([firstPart.contacts, secondPart.contacts]),
  lists: firstPart.lists + secondPart.lists,
})

/** A stream of which the first row is there. */
export interface PrimedRowStream<Row> {
  next: IteratorResult<Row, undefined>
  rest: AsyncGenerator<Row, undefined>
  end(): Promise<unknown>
}

/** Waits for the first row of a stream. Whoever begins it ends it. */
export async function primeRowStream<Row>(rowStream: AsyncGenerator<Row, void>): Promise<PrimedRowStream<Row>> {
  const primedStream = rowStream as AsyncGenerator<Row, undefined>
  return { next: await primedStream.next(), rest: primedStream, end: () => primedStream.return(undefined) }
}

/** Two streams of parts, each by kind and bucket, as one. */
export async function* mergeBucketCounts(
  localRows: PrimedRowStream<BucketPart>,
  storeRows: PrimedRowStream<BucketPart>,
): AsyncGenerator<BucketPart> {
  let [localResult, storeResult] = [localRows.next, storeRows.next]
  while (!localResult.done || !storeResult.done) {
    const comparison = localResult.done ? 1 : storeResult.done ? -1 : compareParts(localResult.value, storeResult.value)
    if (comparison === 0) yield sumParts(localResult.value!, storeResult.value!)
    else yield comparison < 0 ? localResult.value! : storeResult.value!
    if (comparison <= 0) localResult = await localRows.rest.next()
    if (comparison >= 0) storeResult = await storeRows.rest.next()
  }
}
