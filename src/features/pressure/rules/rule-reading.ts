import { badRequestProblem, invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { maxPeriodLengthMs } from '../counters/periods.ts'
import type { PressureLimit, PressureLimitBody, PressurePredicate, PressureRuleBody } from '../pressure-schemas.ts'

const MAX_PERIOD_DAYS = 92
/** Longest periods: months of the calendar have up to 31 days, and three of them at most 92. */
const MAX_PERIOD_MONTHS = 3
const DEFAULT_RESERVE_PRIORITY = 50

function isPeriodTooLong(period: PressureLimit['period']): boolean {
  return period.unit === 'MONTH'
    ? period.value > MAX_PERIOD_MONTHS
    : maxPeriodLengthMs(period) > MAX_PERIOD_DAYS * DAY_MS
}

function parseWindow(window: PressureLimitBody['window']): PressureLimit['window'] {
  if (!window) return null
  const { from, to, daysOfWeek } = window
  return { from, to, ...(daysOfWeek && { daysOfWeek: [...new Set(daysOfWeek)].sort((a, b) => a - b) }) }
}

/** A limit with its defaults. Adds what is wrong to `faults`. */
function parseLimit(limitBody: PressureLimitBody, pointer: string, faults: ProblemFault[]): PressureLimit {
  const { count, period, channels, topics, purposes, window } = limitBody
  const reserve = limitBody.reserve ?? 0
  if (isPeriodTooLong(period))
    faults.push({ pointer: `${pointer}/period/value`, detail: `must be at most ${MAX_PERIOD_DAYS} days in total` })
  if (reserve > 0 && reserve >= count) faults.push({ pointer: `${pointer}/reserve`, detail: 'must be less than count' })
  return {
    type: 'limit',
    count,
    period,
    channels: [...new Set(channels ?? [])],
    topics: [...new Set((topics ?? []).map((id) => id.toLowerCase()))],
    purposes: [...new Set(purposes ?? (['marketing'] as const))],
    reserve,
    reservePriority: limitBody.reservePriority ?? DEFAULT_RESERVE_PRIORITY,
    window: parseWindow(window),
  }
}

/** A predicate with its defaults. Throws 400 with the pointers of all faults; `base` points to it. */
export function parsePressurePredicate(
  predicateBody: PressureRuleBody['predicate'],
  base = '/predicate',
): PressurePredicate {
  if (predicateBody === undefined) throw badRequestProblem(base, 'is required')
  const predicateFaults: ProblemFault[] = []
  const expressions = predicateBody.expressions.map((limit, place) =>
    parseLimit(limit, `${base}/expressions/${place}`, predicateFaults),
  )
  if (predicateFaults.length > 0) throw invalidRequestProblem(predicateFaults)
  return { type: predicateBody.type, expressions }
}

/** The topics that a predicate names. */
export function listPredicateTopics({ expressions }: PressurePredicate): string[] {
  return [...new Set(expressions.flatMap(({ topics }) => topics))]
}
