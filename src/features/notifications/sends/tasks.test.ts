import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { StoredNotificationScheduler } from '../stored.ts'
import { findNextNotificationStart } from './tasks.ts'

/** The starts of a cron line from an instant until a day later. */
function startsOf(minute: string, hour: string, zone: string, from: string): string[] {
  const line = { type: 'cron', minute, hour, timeZone: { id: zone } } as StoredNotificationScheduler
  const starts: string[] = []
  let next = findNextNotificationStart(line, Date.parse(from) - 1)
  while (next !== undefined && next < Date.parse(from) + 86_400_000) {
    starts.push(new Date(next).toISOString())
    next = findNextNotificationStart(line, next)
  }
  return starts
}

suite('a notification with a cron line of several hours and minutes', () => {
  const cases = [
    ['0,30', '2,3', 'Europe/Paris', '2026-10-25', ['00:00', '00:30', '02:00', '02:30']],
    ['0,30', '1-2', 'America/New_York', '2026-11-01', ['05:00', '05:30', '07:00', '07:30']],
    ['0,30', '1,2', 'Australia/Lord_Howe', '2026-04-04', ['14:00', '14:30', '15:30', '16:00']],
  ] as const
  for (const [minute, hour, zone, day, expected] of cases) {
    test(`starts once for each time that clocks of ${zone} show twice when they are put back`, () => {
      const starts = startsOf(minute, hour, zone, `${day}T00:00:00.000Z`)
      assert.deepEqual(
        starts.filter((at) => at.startsWith(day)).map((at) => at.slice(11, 16)),
        expected,
      )
    })
  }

  const skipped = [
    ['0,30', '2', 'Europe/Paris', '2026-03-29', ['01:00']],
    ['0,30', '2', 'America/New_York', '2026-03-08', ['07:00']],
    ['0,15,45', '2', 'Australia/Lord_Howe', '2026-10-03', ['15:30', '15:45']],
  ] as const
  for (const [minute, hour, zone, day, expected] of skipped) {
    test(`starts when clocks of ${zone} are put forward, for the times that they leave out`, () => {
      const starts = startsOf(minute, hour, zone, `${day}T00:00:00.000Z`)
      assert.deepEqual(
        starts.filter((at) => at.startsWith(day)).map((at) => at.slice(11, 16)),
        expected,
      )
    })
  }
})
