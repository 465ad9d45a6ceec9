import type { ContentVersionSource } from '../../channels/version-source.ts'
import type { Db } from '../../database/connection/connect.ts'
import { readContactHours } from '../../features/events/record/contact-hours.ts'
import type { AccountId } from '../../lib/account.ts'
import { formatContactId } from '../../lib/ids.ts'
import { hashToShareUnit } from '../../lib/shares.ts'
import { HOUR_MS } from '../../lib/time/spans.ts'
import { loadRecipientZones } from './zone-moments.ts'

/** Start of a campaign whose messages leave at the best time of each contact. */
export interface BestTimeWindow {
  /** ISO 8601. */
  start: string
  /** Number of hours to choose from, including the one it starts in. */
  hours: number
}

/** Hours that a best time is taken of, unless a scheduler says. */
export const BEST_TIME_WINDOW_HOURS = 24

/** Hours of a week. */
const HOURS_PER_WEEK = 168
/** Minimum number of hits that reveal the habits of an account; below it every hour is equally good. */
const MIN_KNOWN_HITS = 1000
/** Weight of the account's habits, in hits of a contact. */
const HABIT_WEIGHT = 10

/** Hits by hour of the week. */
export type WeekHourHits = ReadonlyMap<number, number>

const sumHits = (hits: WeekHourHits): number => hits.values().reduce((sum, n) => sum + n, 0)

/** The share of an hour of the week among an account's hits. */
export function computeHourShares(account: WeekHourHits): (hour: number) => number {
  const totalHits = sumHits(account)
  return totalHits < MIN_KNOWN_HITS ? () => 1 / HOURS_PER_WEEK : (hour) => (account.get(hour) ?? 0) / totalHits
}

/** The hours of a window in a zone: when each begins, in milliseconds, and which hour of the week clocks show. */
export function listWindowHours({ start, hours }: BestTimeWindow, zone: string): { at: number; hour: number }[] {
  const windowStart = Temporal.Instant.from(start).toZonedDateTimeISO(zone)
  const elapsedMs = windowStart.minute * 60_000 + windowStart.second * 1000 + windowStart.millisecond
  return Array.from({ length: hours }, (_, n) => {
    const hourStart = windowStart.epochMilliseconds - elapsedMs + n * HOUR_MS
    const localHour = Temporal.Instant.fromEpochMilliseconds(hourStart).toZonedDateTimeISO(zone)
    return { at: hourStart, hour: (localHour.dayOfWeek - 1) * 24 + localHour.hour }
  })
}

/** The hour with the highest score (n + 10 p) / (N + 10), the earliest on a tie: when it begins. */
export function findBestHour(
  window: readonly { at: number; hour: number }[],
  contactHits: WeekHourHits,
  accountHabit: (hour: number) => number,
): number {
  const totalHits = sumHits(contactHits)
  const scoreHour = (hour: number): number =>
    ((contactHits.get(hour) ?? 0) + HABIT_WEIGHT * accountHabit(hour)) / (totalHits + HABIT_WEIGHT)
  return window.reduce((best, candidate) => (scoreHour(candidate.hour) > scoreHour(best.hour) ? candidate : best)).at
}

/** The minute of any hour that a contact's messages leave in, always the same. */
export function assignContactMinute(account: AccountId, contact: number): number {
  return hashToShareUnit(`${account}:bestTime:${formatContactId(contact)}`) % 60
}

interface BestTimeTarget {
  account: AccountId
  source: { settings: Pick<ContentVersionSource['settings'], 'timeZone' | 'timeZoneField'> }
  bestTime: BestTimeWindow
}

/** Computes when each contact's message is due by its habits, by contact id, in milliseconds. Past moments are not moved. */
export async function computeBestMoments(
  db: Db,
  { account, source, bestTime }: BestTimeTarget,
  contacts: readonly number[],
): Promise<Map<number, number>> {
  const { of: hitsByContact, all: accountHits } = await readContactHours(
    db,
    account,
    contacts,
    new Date(bestTime.start),
  )
  const zonesByContact = await loadRecipientZones(db, { account, source }, contacts)
  const accountHabit = computeHourShares(accountHits)
  const windowsByZone = new Map<string, { at: number; hour: number }[]>()
  const findWindow = (zone: string) => {
    const zoneWindow = windowsByZone.get(zone) ?? listWindowHours(bestTime, zone)
    windowsByZone.set(zone, zoneWindow)
    return zoneWindow
  }
  return new Map(
    contacts.map((contact) => {
      const contactWindow = findWindow(zonesByContact.get(contact) ?? source.settings.timeZone)
      const bestHour = findBestHour(contactWindow, hitsByContact.get(contact) ?? new Map(), accountHabit)
      return [contact, bestHour + assignContactMinute(account, contact) * 60_000]
    }),
  )
}
