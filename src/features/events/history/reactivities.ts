import type { Db } from '../../../database/connection/connect.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import {
  addToContactSet,
  type ContactSet,
  countPackedContacts,
  removeFromContactSet,
} from '../counts/summary-contacts.ts'
import { type EventBucketCounts, readBucketCounts, type SummaryBuckets } from '../counts/summary-parts.ts'
import type { EventKind } from '../kinds/event-kinds.ts'
import type { EventSelection } from './filters.ts'

export type { SummaryBuckets } from '../counts/summary-parts.ts'

/** Counts of one kind, in all or in one bucket: by humans, of distinct contacts among them, and by robots. */
export interface ReactivityCounts {
  total: number
  contacts: number
  robots: number
}

interface KindCounts extends ReactivityCounts {
  buckets: (ReactivityCounts & { start: string })[]
}

export interface ReactivityStatistics {
  activations: { total: number; contacts: number }
  /** One entry per kind of the list, also for those that have none. */
  kinds: (KindCounts & { kind: EventKind })[]
}

const MAX_BUCKETS = 10_000

/** Reads the parts of a summary without buckets, in pieces of a moderate size. */
const dayBuckets: SummaryBuckets = { unit: 'day', zone: 'UTC' }

/**
 * Counts what a list of reactivities selects, whatever its classes; exact. Without `buckets` none are made.
 * Throws 400 when there would be more than 10,000 of them.
 */
export async function summarizeReactivities(
  db: Db,
  list: EventSelection,
  buckets: SummaryBuckets | undefined,
): Promise<ReactivityStatistics> {
  const [activations, kinds] = await Promise.all([
    countActivations(db, list),
    countKinds(readBucketCounts(db, list, buckets ?? dayBuckets), buckets !== undefined),
  ])
  const emptyCounts: KindCounts = { total: 0, contacts: 0, robots: 0, buckets: [] }
  return { activations, kinds: list.kinds.map((kind) => ({ kind, ...(kinds.get(kind) ?? emptyCounts) })) }
}

/** Activations of the scope within their own bounds; proofs left out. */
async function countActivations(db: Db, list: EventSelection): Promise<ReactivityStatistics['activations']> {
  const { activation: period = { start: undefined, end: undefined } } = list
  const selection: EventSelection = {
    ...list,
    kinds: ['activations'],
    isReactivity: false,
    activation: undefined,
    period,
  }
  const { total = 0, contacts = 0 } =
    (await countKinds(readBucketCounts(db, selection, dayBuckets), false)).get('activations') ?? {}
  return { total, contacts }
}

/** Puts the parts of each kind together, which come one kind after the other. */
async function countKinds(
  parts: AsyncIterable<EventBucketCounts>,
  isBucketed: boolean,
): Promise<Map<EventKind, KindCounts>> {
  const countsByKind = new Map<EventKind, KindCounts>()
  const bucketStarts = new Set<number>()
  const bucketContacts: ContactSet = new Map()
  let allContacts: ContactSet = new Map()
  for await (const part of parts) {
    let kindCounts = countsByKind.get(part.kind)
    if (!kindCounts) {
      kindCounts = { total: 0, contacts: 0, robots: 0, buckets: [] }
      countsByKind.set(part.kind, kindCounts)
      allContacts = new Map()
    }
    kindCounts.total += part.humans
    kindCounts.robots += part.robots
    kindCounts.contacts += addToContactSet(allContacts, part.contacts)
    if (!isBucketed) continue
    if (bucketStarts.add(part.bucket.getTime()).size > MAX_BUCKETS) throw createTooManyBucketsProblem()
    kindCounts.buckets.push(buildBucket(part, bucketContacts))
  }
  return countsByKind
}

/** `scratch` is empty before and after. */
function buildBucket(
  { bucket, humans, robots, contacts, lists }: EventBucketCounts,
  scratch: ContactSet,
): KindCounts['buckets'][number] {
  const bucketCounts = { start: bucket.toISOString(), total: humans, robots }
  if (lists === 1) return { ...bucketCounts, contacts: countPackedContacts(contacts) }
  const different = addToContactSet(scratch, contacts)
  removeFromContactSet(scratch, contacts)
  return { ...bucketCounts, contacts: different }
}

function createTooManyBucketsProblem(): Problem {
  return new Problem(
    400,
    'too-many-buckets',
    `There are more than ${MAX_BUCKETS} buckets. Narrow the period or use days.`,
  )
}
