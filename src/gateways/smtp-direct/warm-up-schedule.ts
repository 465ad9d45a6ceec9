import { DAY_MS } from '../../lib/time/spans.ts'

/** Returns the number of messages that a domain may send to one destination on a day, by the schedule; `undefined` if there is no limit. */
export function getWarmUpAllowance(day: string, startsOn: string, schedule: readonly number[]): number | undefined {
  const index = Math.round((Date.parse(day) - Date.parse(startsOn)) / DAY_MS)
  return index < 0 ? 0 : schedule[index]
}
