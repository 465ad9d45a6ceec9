import { badRequest, type Fault, invalid } from '../../../lib/errors/problem.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { lengthOf } from '../counters/periods.ts'
import type { Limit, LimitBody, Predicate, RuleBody } from '../pressure-schemas.ts'

const MAX_DAYS = 92
/** Longest periods: months of the calendar have up to 31 days, and three of them at most 92. */
const MAX_MONTHS = 3
const RESERVE_PRIORITY = 50

function isTooLong(period: Limit['period']): boolean {
  return period.unit === 'MONTH' ? period.value > MAX_MONTHS : lengthOf(period) > MAX_DAYS * DAY_MS
}

function readWindow(window: LimitBody['window']): Limit['window'] {
  if (!window) return null
  const { from, to, daysOfWeek } = window
  return { from, to, ...(daysOfWeek && { daysOfWeek: [...new Set(daysOfWeek)].sort((a, b) => a - b) }) }
}

/** A limit with its defaults. Adds what is wrong to `faults`. */
function readLimit(given: LimitBody, pointer: string, faults: Fault[]): Limit {
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
export function readPredicate(given: RuleBody['predicate'], base = '/predicate'): Predicate {
  if (given === undefined) throw badRequest(base, 'is required')
  const faults: Fault[] = []
  const expressions = given.expressions.map((limit, place) => readLimit(limit, `${base}/expressions/${place}`, faults))
  if (faults.length > 0) throw invalid(faults)
  return { type: given.type, expressions }
}

/** The topics that a predicate names. */
export function topicsOf({ expressions }: Predicate): string[] {
  return [...new Set(expressions.flatMap(({ topics }) => topics))]
}
