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

/** Counts of a contact, and the moment and zone in which they are evaluated. */
export interface ContactPressureCounts {
  buckets: readonly PressureBucket[]
  present: ZonedMoment
}

/** Status of a limit. `until` (milliseconds): when it would hold again if nothing more were sent; null: never. */
export interface PressureLimitStatus {
  count: number
  holds: boolean
  until: number | null
}

/** The stop of a message. `waitUntil` (milliseconds): when it may be decided again; null: never. */
export interface PressureStop {
  rule: Pick<IndexedPressureRule, 'id' | 'label'>
  expression: number
  limit: PressureLimit
  count: number
  until: number | null
  waitUntil: number | null
}

function isInSet<T>(allowedValues: readonly T[], candidate: T): boolean {
  return allowedValues.length === 0 || allowedValues.includes(candidate)
}

/** True if a scope is in the three sets of a limit. */
export function isScopeCovered(
  { limit, topics }: IndexedPressureLimit,
  { channel, purpose, topic }: PressureScope,
): boolean {
  return (
    isInSet(limit.channels, channel) &&
    isInSet(limit.purposes, purpose) &&
    (limit.topics.length === 0 || (topic !== 0 && topics.has(topic)))
  )
}

/** Spans and windows of the periods of rules, which many contacts of a batch share. */
export type PressurePeriodCache = Map<string, { start: number; end: number | null } | number | null>

function computeOnce<T extends { start: number; end: number | null } | number | null>(
  moments: PressurePeriodCache,
  key: string,
  make: () => T,
): T {
  let cachedValue = moments.get(key) as T | undefined
  if (cachedValue === undefined) {
    cachedValue = make()
    moments.set(key, cachedValue)
  }
  return cachedValue
}

/** From when on buckets count; `end`: when all of them leave at once, of a calendar period. */
function findCountedSpan(
  { period }: PressureLimit,
  present: ZonedMoment,
  moments: PressurePeriodCache,
): { start: number; end: number | null } {
  if (period.type === 'rolling') return { start: present.now - maxPeriodLengthMs(period), end: null }
  const key = `${present.now} ${present.zone} ${period.unit} ${period.value}`
  return computeOnce(moments, key, () => calendarPeriodSpan(period, present))
}

/** End of the current window of a limit. `null` if it has no window, `undefined` outside of it. */
function findWindowEnd(
  { window }: PressureLimit,
  present: ZonedMoment,
  moments: PressurePeriodCache,
): number | null | undefined {
  if (window === null) return null
  const key = `${present.now} ${present.zone} ${window.from} ${window.to} ${window.daysOfWeek ?? ''}`
  const end = computeOnce(moments, key, () => pressureWindowEnd(window, present) ?? null)
  return end === null ? undefined : end
}

/** Finds the time at which enough counted messages have expired for one more to fit. */
function findFreeMoment(
  { limit, counting, most }: { limit: PressureLimit; counting: readonly PressureBucket[]; most: number },
  end: number | null,
): number | null {
  if (most < 1) return null
  if (end !== null) return end
  const byAge = counting.toSorted((a, b) => a.at - b.at)
  let remainingCount = byAge.reduce((sum, { count }) => sum + count, 0)
  for (const { at, count } of byAge) {
    remainingCount -= count
    if (remainingCount < most) return at + PRESSURE_BUCKET_MS + maxPeriodLengthMs(limit.period)
  }
  return null
}

/** Computes the status of a limit for a message of a priority. */
export function computeLimitStatus(
  indexedLimit: IndexedPressureLimit,
  { buckets, present }: ContactPressureCounts,
  priority: number,
  moments: PressurePeriodCache = new Map(),
): PressureLimitStatus {
  const { limit } = indexedLimit
  const { start, end } = findCountedSpan(limit, present, moments)
  const countedBuckets = buckets.filter(
    (bucket) => bucket.at + PRESSURE_BUCKET_MS > start && isScopeCovered(indexedLimit, bucket),
  )
  const count = countedBuckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const maxCount = priority >= limit.reservePriority ? limit.count : limit.count - limit.reserve
  if (count < maxCount) return { count, holds: true, until: null }
  return { count, holds: false, until: findFreeMoment({ limit, counting: countedBuckets, most: maxCount }, end) }
}

/** True if a rule has a limit that may apply to a message at some moment. */
export function canRuleConcern({ limits }: IndexedPressureRule, scope: PressureScope): boolean {
  return limits.some((limit) => isScopeCovered(limit, scope))
}

function findEarliest(moments: readonly (number | null)[]): number | null {
  const finiteMoments = moments.filter((moment) => moment !== null)
  return finiteMoments.length === 0 ? null : Math.min(...finiteMoments)
}

/** A limit that concerns a message and how it stands; `windowEnd`: of its window, null without. */
interface ConcernedLimit extends PressureLimitStatus {
  expression: number
  limit: PressureLimit
  windowEnd: number | null
}

/** A message may be asked again when the limit holds, or concerns it no more. */
function findWaitEnd({ until, windowEnd }: ConcernedLimit): number | null {
  return findEarliest([until, windowEnd])
}

function buildStop(rule: IndexedPressureRule, concerned: readonly ConcernedLimit[]): PressureStop | undefined {
  const failingLimits = concerned.filter(({ holds }) => !holds)
  const isStopped =
    rule.type === 'and' ? failingLimits.length > 0 : concerned.length > 0 && failingLimits.length === concerned.length
  const [firstFailing] = failingLimits
  if (!isStopped || !firstFailing) return undefined
  const { id, label } = rule
  const { expression, limit, count } = firstFailing
  const failedLimits = rule.type === 'and' ? [firstFailing] : failingLimits
  return {
    rule: { id, label },
    expression,
    limit,
    count,
    until: findEarliest(failedLimits.map(({ until }) => until)),
    waitUntil: findEarliest(failedLimits.map(findWaitEnd)),
  }
}

/** Input of a check of rules. `isReserved`: the message already holds a reservation, so that only limits of 0 can stop it. */
export interface PressureCheck {
  message: PressureCheckMessage
  counted: ContactPressureCounts
  isReserved?: boolean
}

/** The first rule that stops a message, with the limit that does; undefined when it passes. Rules are asked in their order. */
export function findPressureStop(
  rules: readonly IndexedPressureRule[],
  { message, counted: contactCounts, isReserved = false }: PressureCheck,
  moments: PressurePeriodCache = new Map(),
): PressureStop | undefined {
  for (const rule of rules) {
    const concerned = rule.limits.flatMap((indexedLimit, expression): ConcernedLimit[] => {
      if (!isScopeCovered(indexedLimit, message)) return []
      const windowEnd = findWindowEnd(indexedLimit.limit, contactCounts.present, moments)
      if (windowEnd === undefined) return []
      const limitStatus = computeLimitStatus(indexedLimit, contactCounts, message.priority, moments)
      const holds = limitStatus.holds || (isReserved && indexedLimit.limit.count > 0)
      return [{ ...limitStatus, holds, expression, limit: indexedLimit.limit, windowEnd }]
    })
    const foundStop = buildStop(rule, concerned)
    if (foundStop) return foundStop
  }
  return undefined
}
