import { HOUR_MS } from '../../../lib/time/spans.ts'
import { toZoneInstant } from '../../../sending/plan/zone-moments.ts'
import type { StoredActionScheduler } from '../resource/action-repository.ts'
import { computeEarliestStart } from '../resource/parse-action-body.ts'

/** The last clock on earth shows a date twelve hours after UTC does. */
const LAST_ZONE_OFFSET_MS = 12 * HOUR_MS

/** Start of a campaign, and the latest time at which it may be validated, in milliseconds. */
export interface CampaignTiming {
  startsAt: number
  latest: number
}

/**
 * The timing of a campaign: at once; at an instant; or at the digits of a clock - of the account's zone, or of any zone
 * when contacts have their own. Undefined without the date it needs.
 */
export function computeCampaignTiming(
  { type, startDate, timeZoneField }: StoredActionScheduler,
  timeZone: string,
  now: number,
): CampaignTiming | undefined {
  if (type === 'asap') return { startsAt: now, latest: now }
  if (startDate === null) return undefined
  const instant = Date.parse(startDate)
  if (type === 'scheduled' || type === 'bestTime') return { startsAt: instant, latest: instant }
  if (timeZoneField !== null)
    return { startsAt: Date.parse(computeEarliestStart(startDate, true)), latest: instant + LAST_ZONE_OFFSET_MS }
  const zoneInstant = toZoneInstant(timeZone, startDate) ?? instant
  return { startsAt: zoneInstant, latest: zoneInstant }
}
