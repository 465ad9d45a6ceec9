import type { ContentVersionSource } from '../../channels/version-source.ts'
import type { Db } from '../../database/connection/connect.ts'
import { readContactHours } from '../../features/events/record/contact-hours.ts'
import type { AccountId } from '../../lib/account.ts'
import { formatContactId } from '../../lib/ids.ts'
import { hashToShareUnit } from '../../lib/shares.ts'
import { HOUR_MS } from '../../lib/time/spans.ts'
import { loadRecipientZones } from './zone-moments.ts'

/** When a campaign leaves whose messages have the best time of each contact. */
export interface BestTimeWindow {
  /** ISO 8601. */
  start: string
  /** How many hours may be chosen from, the one that it starts in included. */
  hours: number
}

/** Hours that a best time is taken of, unless a scheduler says. */
export const BEST_TIME_WINDOW_HOURS = 24

/** Hours of a week. */
const HOURS = 168
/** Below so many hits of an account its habits are not known: every hour is as good. */
const KNOWN_HITS = 1000
/** What the habits of the account weigh, in hits of a contact. */
const PRIOR = 10

/** Hits by hour of the week. */
export type WeekHourHits = ReadonlyMap<number, number>

const sumOf = (hits: WeekHourHits): number => hits.values().reduce((sum, n) => sum + n, 0)

/** The share of an hour of the week among an account's hits. */
export function computeHourShares(account: WeekHourHits): (hour: number) => number {
  const all = sumOf(account)
  return all < KNOWN_HITS ? () => 1 / HOURS : (hour) => (account.get(hour) ?? 0) / all
}

/** The hours of a window in a zone: when each begins, in milliseconds, and which hour of the week clocks show. */
export function listWindowHours({ start, hours }: BestTimeWindow, zone: string): { at: number; hour: number }[] {
  const first = Temporal.Instant.from(start).toZonedDateTimeISO(zone)
  const into = first.minute * 60_000 + first.second * 1000 + first.millisecond
  return Array.from({ length: hours }, (_, n) => {
    const at = first.epochMilliseconds - into + n * HOUR_MS
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
    return { at, hour: (local.dayOfWeek - 1) * 24 + local.hour }
  })
}

/** The hour with the highest score (n + 10 p) / (N + 10), the earliest on a tie: when it begins. */
export function findBestHour(
  window: readonly { at: number; hour: number }[],
  own: WeekHourHits,
  habit: (hour: number) => number,
): number {
  const all = sumOf(own)
  const score = (hour: number): number => ((own.get(hour) ?? 0) + PRIOR * habit(hour)) / (all + PRIOR)
  return window.reduce((best, one) => (score(one.hour) > score(best.hour) ? one : best)).at
}

/** The minute of any hour that a contact's messages leave in, always the same. */
export function assignContactMinute(account: AccountId, contact: number): number {
  return hashToShareUnit(`${account}:bestTime:${formatContactId(contact)}`) % 60
}

interface Timed {
  account: AccountId
  source: { settings: Pick<ContentVersionSource['settings'], 'timeZone' | 'timeZoneField'> }
  bestTime: BestTimeWindow
}

/** When each contact's message is due by its habits, by contact id, in milliseconds. Past moments are as they are. */
export async function computeBestMoments(
  db: Db,
  { account, source, bestTime }: Timed,
  contacts: readonly number[],
): Promise<Map<number, number>> {
  const { of, all } = await readContactHours(db, account, contacts, new Date(bestTime.start))
  const zones = await loadRecipientZones(db, { account, source }, contacts)
  const habit = computeHourShares(all)
  const windows = new Map<string, { at: number; hour: number }[]>()
  const windowIn = (zone: string) => {
    const known = windows.get(zone) ?? listWindowHours(bestTime, zone)
    windows.set(zone, known)
    return known
  }
  return new Map(
    contacts.map((contact) => {
      const window = windowIn(zones.get(contact) ?? source.settings.timeZone)
      const hour = findBestHour(window, of.get(contact) ?? new Map(), habit)
      return [contact, hour + assignContactMinute(account, contact) * 60_000]
    }),
  )
}
