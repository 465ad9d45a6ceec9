import { type Bucket, QUARTER_MS, type Scope } from '../counters/buckets.ts'
import { calendarSpan, lengthOf, type Present, windowEnd } from '../counters/periods.ts'
import type { Limit, Predicate } from '../pressure-schemas.ts'

/** A limit as it is asked: its sets for look-ups, topics by number. */
export interface AskedLimit {
  limit: Limit
  topics: ReadonlySet<number>
}

/** An active rule as it is asked. */
export interface AskedRule {
  id: string
  label: string
  type: Predicate['type']
  limits: readonly AskedLimit[]
}

/** A message as rules see it. */
export interface AskedMessage extends Scope {
  priority: number
}

/** What was counted for a contact, and the moment and zone in which it is looked at. */
export interface Counted {
  buckets: readonly Bucket[]
  present: Present
}

/** How a limit stands. `until` (milliseconds): when it would hold again if nothing more were sent; null: never. */
export interface Standing {
  count: number
  holds: boolean
  until: number | null
}

/** What stopped a message. `waitUntil` (milliseconds): when it may be asked again; null: it need not be. */
export interface Stop {
  rule: Pick<AskedRule, 'id' | 'label'>
  expression: number
  limit: Limit
  count: number
  until: number | null
  waitUntil: number | null
}

function isIn<T>(set: readonly T[], one: T): boolean {
  return set.length === 0 || set.includes(one)
}

/** Whether a scope is in the three sets of a limit. */
export function covers({ limit, topics }: AskedLimit, { channel, purpose, topic }: Scope): boolean {
  return (
    isIn(limit.channels, channel) &&
    isIn(limit.purposes, purpose) &&
    (limit.topics.length === 0 || (topic !== 0 && topics.has(topic)))
  )
}

/** Spans and windows of the periods of rules, which many contacts of a batch share. */
export type Moments = Map<string, { start: number; end: number | null } | number | null>

function remembered<T extends { start: number; end: number | null } | number | null>(
  moments: Moments,
  key: string,
  make: () => T,
): T {
  let known = moments.get(key) as T | undefined
  if (known === undefined) {
    known = make()
    moments.set(key, known)
  }
  return known
}

/** From when on buckets count; `end`: when all of them leave at once, of a calendar period. */
function spanOf({ period }: Limit, present: Present, moments: Moments): { start: number; end: number | null } {
  if (period.type === 'rolling') return { start: present.now - lengthOf(period), end: null }
  const key = `${present.now} ${present.zone} ${period.unit} ${period.value}`
  return remembered(moments, key, () => calendarSpan(period, present))
}

/** The end of the window of a limit that the clock is in; null when it has none, undefined outside of it. */
function openWindow({ window }: Limit, present: Present, moments: Moments): number | null | undefined {
  if (window === null) return null
  const key = `${present.now} ${present.zone} ${window.from} ${window.to} ${window.daysOfWeek ?? ''}`
  const end = remembered(moments, key, () => windowEnd(window, present) ?? null)
  return end === null ? undefined : end
}

/** When enough of what is counted has left for one more to fit. */
function freedAt(
  { limit, counting, most }: { limit: Limit; counting: readonly Bucket[]; most: number },
  end: number | null,
): number | null {
  if (most < 1) return null
  if (end !== null) return end
  const byAge = counting.toSorted((a, b) => a.at - b.at)
  let left = byAge.reduce((sum, { count }) => sum + count, 0)
  for (const { at, count } of byAge) {
    left -= count
    if (left < most) return at + QUARTER_MS + lengthOf(limit.period)
  }
  return null
}

/** How a limit stands for a message of a priority. */
export function standingOf(
  asked: AskedLimit,
  { buckets, present }: Counted,
  priority: number,
  moments: Moments = new Map(),
): Standing {
  const { limit } = asked
  const { start, end } = spanOf(limit, present, moments)
  const counting = buckets.filter((bucket) => bucket.at + QUARTER_MS > start && covers(asked, bucket))
  const count = counting.reduce((sum, bucket) => sum + bucket.count, 0)
  const most = priority >= limit.reservePriority ? limit.count : limit.count - limit.reserve
  if (count < most) return { count, holds: true, until: null }
  return { count, holds: false, until: freedAt({ limit, counting, most }, end) }
}

/** Whether a rule has a limit that may concern a message at some moment. */
export function mayConcern({ limits }: AskedRule, scope: Scope): boolean {
  return limits.some((limit) => covers(limit, scope))
}

function earliest(moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** A limit that concerns a message and how it stands; `windowEnd`: of its window, null without. */
interface Concerned extends Standing {
  expression: number
  limit: Limit
  windowEnd: number | null
}

/** A message may be asked again when the limit holds, or concerns it no more. */
function waitOf({ until, windowEnd }: Concerned): number | null {
  return earliest([until, windowEnd])
}

function stopOf(rule: AskedRule, concerned: readonly Concerned[]): Stop | undefined {
  const failing = concerned.filter(({ holds }) => !holds)
  const isStopped =
    rule.type === 'and' ? failing.length > 0 : concerned.length > 0 && failing.length === concerned.length
  const [first] = failing
  if (!isStopped || !first) return undefined
  const { id, label } = rule
  const { expression, limit, count } = first
  const asked = rule.type === 'and' ? [first] : failing
  return {
    rule: { id, label },
    ...{ expression, limit, count },
    until: earliest(asked.map(({ until }) => until)),
    waitUntil: earliest(asked.map(waitOf)),
  }
}

/** What is asked of rules. `isReserved`: it holds a place already, so that only limits of 0 can stop it. */
export interface Question {
  message: AskedMessage
  counted: Counted
  isReserved?: boolean
}

/** The first rule that stops a message, with the limit that does; undefined when it passes. Rules are asked in their order. */
export function decide(
  rules: readonly AskedRule[],
  { message, counted, isReserved = false }: Question,
  moments: Moments = new Map(),
): Stop | undefined {
  for (const rule of rules) {
    const concerned = rule.limits.flatMap((asked, expression): Concerned[] => {
      if (!covers(asked, message)) return []
      const windowEnd = openWindow(asked.limit, counted.present, moments)
      if (windowEnd === undefined) return []
      const standing = standingOf(asked, counted, message.priority, moments)
      const holds = standing.holds || (isReserved && asked.limit.count > 0)
      return [{ ...standing, holds, expression, limit: asked.limit, windowEnd }]
    })
    const stop = stopOf(rule, concerned)
    if (stop) return stop
  }
  return undefined
}
