import { PRESSURE_BUCKET_MS, type PressureBucket, type PressureScope } from '../counters/buckets.ts'
import { calendarPeriodSpan, maxPeriodLengthMs, pressureWindowEnd, type ZonedMoment } from '../counters/periods.ts'
import type { PressureLimit, PressurePredicate } from '../pressure-schemas.ts'

/** A limit as it is asked: its sets for look-ups, topics by number. */
export interface IndexedPressureLimit {
  limit: PressureLimit
  topics: ReadonlySet<number>
}

/** An active rule as it is asked. */
export interface IndexedPressureRule {
  id: string
  label: string
  type: PressurePredicate['type']
  limits: readonly IndexedPressureLimit[]
}

/** A message as rules see it. */
export interface PressureCheckMessage extends PressureScope {
  priority: number
}

/** What was counted for a contact, and the moment and zone in which it is looked at. */
export interface ContactPressureCounts {
  buckets: readonly PressureBucket[]
  present: ZonedMoment
}

/** How a limit stands. `until` (milliseconds): when it would hold again if nothing more were sent; null: never. */
export interface PressureLimitStatus {
  count: number
  holds: boolean
  until: number | null
}

/** What stopped a message. `waitUntil` (milliseconds): when it may be asked again; null: it need not be. */
export interface PressureStop {
  rule: Pick<IndexedPressureRule, 'id' | 'label'>
  expression: number
  limit: PressureLimit
  count: number
  until: number | null
  waitUntil: number | null
}

function isIn<T>(set: readonly T[], one: T): boolean {
  return set.length === 0 || set.includes(one)
}

/** Whether a scope is in the three sets of a limit. */
export function isScopeCovered(
  { limit, topics }: IndexedPressureLimit,
  { channel, purpose, topic }: PressureScope,
): boolean {
  return (
    isIn(limit.channels, channel) &&
    isIn(limit.purposes, purpose) &&
    (limit.topics.length === 0 || (topic !== 0 && topics.has(topic)))
  )
}

/** Spans and windows of the periods of rules, which many contacts of a batch share. */
export type PressurePeriodCache = Map<string, { start: number; end: number | null } | number | null>

function remembered<T extends { start: number; end: number | null } | number | null>(
  moments: PressurePeriodCache,
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
function spanOf(
  { period }: PressureLimit,
  present: ZonedMoment,
  moments: PressurePeriodCache,
): { start: number; end: number | null } {
  if (period.type === 'rolling') return { start: present.now - maxPeriodLengthMs(period), end: null }
  const key = `${present.now} ${present.zone} ${period.unit} ${period.value}`
  return remembered(moments, key, () => calendarPeriodSpan(period, present))
}

/** The end of the window of a limit that the clock is in; null when it has none, undefined outside of it. */
function openWindow(
  { window }: PressureLimit,
  present: ZonedMoment,
  moments: PressurePeriodCache,
): number | null | undefined {
  if (window === null) return null
  const key = `${present.now} ${present.zone} ${window.from} ${window.to} ${window.daysOfWeek ?? ''}`
  const end = remembered(moments, key, () => pressureWindowEnd(window, present) ?? null)
  return end === null ? undefined : end
}

/** When enough of what is counted has left for one more to fit. */
function freedAt(
  { limit, counting, most }: { limit: PressureLimit; counting: readonly PressureBucket[]; most: number },
  end: number | null,
): number | null {
  if (most < 1) return null
  if (end !== null) return end
  const byAge = counting.toSorted((a, b) => a.at - b.at)
  let left = byAge.reduce((sum, { count }) => sum + count, 0)
  for (const { at, count } of byAge) {
    left -= count
    if (left < most) return at + PRESSURE_BUCKET_MS + maxPeriodLengthMs(limit.period)
  }
  return null
}

/** How a limit stands for a message of a priority. */
export function computeLimitStatus(
  asked: IndexedPressureLimit,
  { buckets, present }: ContactPressureCounts,
  priority: number,
  moments: PressurePeriodCache = new Map(),
): PressureLimitStatus {
  const { limit } = asked
  const { start, end } = spanOf(limit, present, moments)
  const counting = buckets.filter((bucket) => bucket.at + PRESSURE_BUCKET_MS > start && isScopeCovered(asked, bucket))
  const count = counting.reduce((sum, bucket) => sum + bucket.count, 0)
  const most = priority >= limit.reservePriority ? limit.count : limit.count - limit.reserve
  if (count < most) return { count, holds: true, until: null }
  return { count, holds: false, until: freedAt({ limit, counting, most }, end) }
}

/** Whether a rule has a limit that may concern a message at some moment. */
export function canRuleConcern({ limits }: IndexedPressureRule, scope: PressureScope): boolean {
  return limits.some((limit) => isScopeCovered(limit, scope))
}

function earliest(moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** A limit that concerns a message and how it stands; `windowEnd`: of its window, null without. */
interface Concerned extends PressureLimitStatus {
  expression: number
  limit: PressureLimit
  windowEnd: number | null
}

/** A message may be asked again when the limit holds, or concerns it no more. */
function waitOf({ until, windowEnd }: Concerned): number | null {
  return earliest([until, windowEnd])
}

function stopOf(rule: IndexedPressureRule, concerned: readonly Concerned[]): PressureStop | undefined {
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
export interface PressureCheck {
  message: PressureCheckMessage
  counted: ContactPressureCounts
  isReserved?: boolean
}

/** The first rule that stops a message, with the limit that does; undefined when it passes. Rules are asked in their order. */
export function findPressureStop(
  rules: readonly IndexedPressureRule[],
  { message, counted, isReserved = false }: PressureCheck,
  moments: PressurePeriodCache = new Map(),
): PressureStop | undefined {
  for (const rule of rules) {
    const concerned = rule.limits.flatMap((asked, expression): Concerned[] => {
      if (!isScopeCovered(asked, message)) return []
      const windowEnd = openWindow(asked.limit, counted.present, moments)
      if (windowEnd === undefined) return []
      const standing = computeLimitStatus(asked, counted, message.priority, moments)
      const holds = standing.holds || (isReserved && asked.limit.count > 0)
      return [{ ...standing, holds, expression, limit: asked.limit, windowEnd }]
    })
    const stop = stopOf(rule, concerned)
    if (stop) return stop
  }
  return undefined
}
