import type { PressureLimit } from './pressure-schemas.ts'
import type { PressureStop } from './rules/decision.ts'

const rollingUnitNames = { HOUR: 'hour', DAY: 'day', WEEK: 'week', MONTH: 'month' } as const

/** A period in words: "in the last 7 days", "in this day". */
function describePeriod({ type, unit, value }: PressureLimit['period']): string {
  const name = rollingUnitNames[unit]
  const amount = value === 1 ? name : `${value} ${name}s`
  if (type === 'rolling') return `in the last ${amount}`
  return value === 1 ? `in this ${name}` : `in these ${amount}`
}

/** Formats the reason of the cancellation of a stopped message. */
export function formatPressureStop({ rule, expression, limit, count, until }: PressureStop, topic: string | null) {
  return {
    type: 'rule',
    message: `rule "${rule.label}": ${count} of ${limit.count} ${describePeriod(limit.period)}`,
    rule: rule.id,
    topic,
    count,
    limit: limit.count,
    expression,
    until,
  }
}
