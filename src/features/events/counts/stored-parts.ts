import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { buildTimeZoneExpression } from '../../../database/rows/zones.ts'
import { QUARTER_HOUR_MS } from '../../../lib/time/spans.ts'
import type { BucketBoundary, EventCountSpan, StoredBucketCounts } from '../columnar/counts.ts'

/** What of spans is before an instant. */
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
  const { rows: pieces } = await sql<BucketBoundary>`
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
  return [...pieces, ...gaps].sort((a, b) => a.start - b.start)
}

type Part = StoredBucketCounts

const orderOf = (one: Part, other: Part): number => {
  if (one.kind !== other.kind) return one.kind < other.kind ? -1 : 1
  return one.bucket.getTime() - other.bucket.getTime()
}

const summed = (one: Part, other: Part): Part => ({
  ...one,
  humans: one.humans + other.humans,
  robots: one.robots + other.robots,
  contacts: Buffer.concat([one.contacts, other.contacts]),
  lists: one.lists + other.lists,
})

/** A stream of which the first row is there. */
export interface PrimedRowStream<Row> {
  next: IteratorResult<Row, undefined>
  rest: AsyncGenerator<Row, undefined>
  end(): Promise<unknown>
}

/** Waits for the first row of a stream. Whoever begins it ends it. */
export async function primeRowStream<Row>(rest: AsyncGenerator<Row, void>): Promise<PrimedRowStream<Row>> {
  const own = rest as AsyncGenerator<Row, undefined>
  return { next: await own.next(), rest: own, end: () => own.return(undefined) }
}

/** Two streams of parts, each by kind and bucket, as one. */
export async function* mergeBucketCounts(
  here: PrimedRowStream<Part>,
  stored: PrimedRowStream<Part>,
): AsyncGenerator<Part> {
  let [one, other] = [here.next, stored.next]
  while (!one.done || !other.done) {
    const order = one.done ? 1 : other.done ? -1 : orderOf(one.value, other.value)
    if (order === 0) yield summed(one.value!, other.value!)
    else yield order < 0 ? one.value! : other.value!
    if (order <= 0) one = await here.rest.next()
    if (order >= 0) other = await stored.rest.next()
  }
}
