import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import { Problem } from '../../lib/problem.ts'
import { conditions, type Selection } from './filters.ts'
import type { Kind } from './kinds.ts'

/** Counts of one kind, in all or in one bucket: by humans, of distinct contacts among them, and by robots. */
export interface Counts {
  total: number
  contacts: number
  robots: number
}

export interface Summary {
  activations: { total: number; contacts: number }
  /** One entry per kind of the list, also for those that have none. */
  kinds: (Counts & { kind: Kind; buckets: (Counts & { start: string })[] })[]
}

/** Buckets by the reaction's timestamp, in a zone. */
export interface Buckets {
  unit: 'hour' | 'day'
  zone: string
}

const MOST_BUCKETS = 10_000

/**
 * Counts what a list of reactivities selects, whatever its classes; exact. Without `buckets` none are made.
 * Throws 400 when there would be more than 10,000 of them.
 */
export async function summarise(db: Db, list: Selection, buckets: Buckets | undefined): Promise<Summary> {
  const selection: Selection = { ...list, classes: 'all' }
  const [activations, totals, series] = await Promise.all([
    countActivations(db, selection),
    countKinds(db, selection, undefined),
    buckets ? countKinds(db, selection, buckets) : [],
  ])
  if (new Set(series.map(({ start }) => start)).size > MOST_BUCKETS) {
    throw new Problem(
      400,
      'too-many-buckets',
      `There are more than ${MOST_BUCKETS} buckets: narrow the period or take days.`,
    )
  }
  const none = { total: 0, contacts: 0, robots: 0 }
  return {
    activations,
    kinds: selection.kinds.map((kind) => {
      const { total, contacts, robots } = totals.find((row) => row.kind === kind) ?? none
      const own = series.filter((row) => row.kind === kind)
      return { kind, total, contacts, robots, buckets: own.map(({ kind: _, ...counts }) => counts) }
    }),
  }
}

/** Activations of the scope within their own bounds; proofs left out. */
async function countActivations(db: Db, list: Selection): Promise<Summary['activations']> {
  const { activation: period = { start: undefined, end: undefined } } = list
  const selection: Selection = { ...list, kinds: ['activations'], isReactivity: false, activation: undefined, period }
  const { rows } = await sql<Summary['activations']>`
    select count(*) as total, count(distinct contact) as contacts from events
    where ${inChannels(selection)} and not is_test`.execute(db)
  return rows[0] ?? { total: 0, contacts: 0 }
}

interface KindCounts extends Counts {
  kind: Kind
  start: string
}

async function countKinds(db: Db, selection: Selection, buckets: Buckets | undefined): Promise<KindCounts[]> {
  const start = buckets ? sql`date_trunc(${buckets.unit}, at, ${buckets.zone})` : sql`null::timestamptz`
  const { rows } = await sql<Counts & { kind: Kind; start: Date | null }>`
    select kind, ${start} as start, count(*) filter (where classification is null) as total,
      count(distinct contact) filter (where classification is null) as contacts,
      count(*) filter (where classification is not null) as robots
    from events where ${inChannels(selection)} group by 1, 2 order by 1, 2`.execute(db)
  return rows.map((row) => ({ ...row, start: row.start?.toISOString() ?? '' }))
}

function inChannels(selection: Selection): RawBuilder<unknown> {
  return sql`${conditions(selection)} and channel = any(${selection.channels ?? []})`
}
