import { badRequestProblem, invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { maxPeriodLengthMs } from '../counters/periods.ts'
import type { PressureLimit, PressureLimitBody, PressurePredicate, PressureRuleBody } from '../pressure-schemas.ts'

const MAX_DAYS = 92
/** Longest periods: months of the calendar have up to 31 days, and three of them at most 92. */
const MAX_MONTHS = 3
const RESERVE_PRIORITY = 50

function isTooLong(period: PressureLimit['period']): boolean {
  return period.unit === 'MONTH' ? period.value > MAX_MONTHS : maxPeriodLengthMs(period) > MAX_DAYS * DAY_MS
}

function readWindow(window: PressureLimitBody['window']): PressureLimit['window'] {
  if (!window) return null
  const { from, to, daysOfWeek } = window
  return { from, to, ...(daysOfWeek && { daysOfWeek: [...new Set(daysOfWeek)].sort((a, b) => a - b) }) }
}

/** A limit with its defaults. Adds what is wrong to `faults`. */
function readLimit(given: PressureLimitBody, pointer: string, faults: ProblemFault[]): PressureLimit {
  const { count, period, channels, topics, purposes, window } = given
  const reserve = given.reserve ?? 0
  if (isTooLong(period))
    faults.push({ pointer: `${pointer}/period/value`, detail: `must make at most ${MAX_DAYS} days` })
  if (reserve > 0 && reserve >= count) faults.push({ pointer: `${pointer}/reserve`, detail: 'must be less than count' })
  return {
    type: 'limit',
    count,
    period,
    channels: [...new Set(channels ?? [])],
    topics: [...new Set((topics ?? []).map((id) => id.toLowerCase()))],
    purposes: [...new Set(purposes ?? (['marketing'] as const))],
    reserve,
    reservePriority: given.reservePriority ?? RESERVE_PRIORITY,
    window: readWindow(window),
  }
}

/** A predicate with its defaults. Throws 400 with the pointers of all faults; `base` points to it. */
export function parsePressurePredicate(given: PressureRuleBody['predicate'], base = '/predicate'): PressurePredicate {
  if (given === undefined) throw badRequestProblem(base, 'is required')
  const faults: ProblemFault[] = []
  const expressions = given.expressions.map((limit, place) => readLimit(limit, `${base}/expressions/${place}`, faults))
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return { type: given.type, expressions }
}

/** The topics that a predicate names. */
export function listPredicateTopics({ expressions }: PressurePredicate): string[] {
  return [...new Set(expressions.flatMap(({ topics }) => topics))]
}
