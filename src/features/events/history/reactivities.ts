import type { Db } from '../../../database/connection/connect.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { addContacts, type ContactSet, lengthOf, removeContacts } from '../counts/summary-contacts.ts'
import { type Buckets, type Part, readParts } from '../counts/summary-parts.ts'
import type { Kind } from '../kinds/event-kinds.ts'
import type { Selection } from './filters.ts'

export type { Buckets } from '../counts/summary-parts.ts'

/** Counts of one kind, in all or in one bucket: by humans, of distinct contacts among them, and by robots. */
export interface Counts {
  total: number
  contacts: number
  robots: number
}

interface KindCounts extends Counts {
  buckets: (Counts & { start: string })[]
}

export interface Summary {
  activations: { total: number; contacts: number }
  /** One entry per kind of the list, also for those that have none. */
  kinds: (KindCounts & { kind: Kind })[]
}

const MAX_BUCKETS = 10_000

/** How the parts of a summary without buckets are read: in pieces of some size. */
const days: Buckets = { unit: 'day', zone: 'UTC' }

/**
 * Counts what a list of reactivities selects, whatever its classes; exact. Without `buckets` none are made.
 * Throws 400 when there would be more than 10,000 of them.
 */
export async function summarise(db: Db, list: Selection, buckets: Buckets | undefined): Promise<Summary> {
  const [activations, kinds] = await Promise.all([
    countActivations(db, list),
    countKinds(readParts(db, list, buckets ?? days), buckets !== undefined),
  ])
  const none: KindCounts = { total: 0, contacts: 0, robots: 0, buckets: [] }
  return { activations, kinds: list.kinds.map((kind) => ({ kind, ...(kinds.get(kind) ?? none) })) }
}

/** Activations of the scope within their own bounds; proofs left out. */
async function countActivations(db: Db, list: Selection): Promise<Summary['activations']> {
  const { activation: period = { start: undefined, end: undefined } } = list
  const selection: Selection = { ...list, kinds: ['activations'], isReactivity: false, activation: undefined, period }
  const { total = 0, contacts = 0 } = (await countKinds(readParts(db, selection, days), false)).get('activations') ?? {}
  return { total, contacts }
}

/** Puts the parts of each kind together, which come one kind after the other. */
async function countKinds(parts: AsyncIterable<Part>, isBucketed: boolean): Promise<Map<Kind, KindCounts>> {
  const counts = new Map<Kind, KindCounts>()
  const starts = new Set<number>()
  const inBucket: ContactSet = new Map()
  let inAll: ContactSet = new Map()
  for await (const part of parts) {
    let own = counts.get(part.kind)
    if (!own) {
      own = { total: 0, contacts: 0, robots: 0, buckets: [] }
      counts.set(part.kind, own)
      inAll = new Map()
    }
    own.total += part.humans
    own.robots += part.robots
    own.contacts += addContacts(inAll, part.contacts)
    if (!isBucketed) continue
    if (starts.add(part.bucket.getTime()).size > MAX_BUCKETS) throw tooManyBuckets()
    own.buckets.push(bucketOf(part, inBucket))
  }
  return counts
}

/** `scratch` is empty before and after. */
function bucketOf(
  { bucket, humans, robots, contacts, lists }: Part,
  scratch: ContactSet,
): KindCounts['buckets'][number] {
  const counts = { start: bucket.toISOString(), total: humans, robots }
  if (lists === 1) return { ...counts, contacts: lengthOf(contacts) }
  const different = addContacts(scratch, contacts)
  removeContacts(scratch, contacts)
  return { ...counts, contacts: different }
}

function tooManyBuckets(): Problem {
  return new Problem(
    400,
    'too-many-buckets',
    `There are more than ${MAX_BUCKETS} buckets: narrow the period or take days.`,
  )
}
