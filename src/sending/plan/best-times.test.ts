import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assignContactMinute, computeHourShares, findBestHour, listWindowHours } from './best-times.ts'

const hour = (day: number, at: number): number => (day - 1) * 24 + at
const uniform = computeHourShares(new Map())
const shown = (at: number): string => new Date(at).toISOString()

test('the hours of a window begin with the one it starts in, in the clocks of the zone', () => {
  // A Thursday.
  const paris = listWindowHours({ start: '2026-01-15T07:30:00Z', hours: 3 }, 'Europe/Paris')
  assert.deepEqual(
    paris.map(({ at, hour: of }) => [shown(at), of]),
    [
      ['2026-01-15T07:00:00.000Z', hour(4, 8)],
      ['2026-01-15T08:00:00.000Z', hour(4, 9)],
      ['2026-01-15T09:00:00.000Z', hour(4, 10)],
    ],
  )
  const [kolkata] = listWindowHours({ start: '2026-01-15T07:00:00Z', hours: 1 }, 'Asia/Kolkata')
  assert.deepEqual([shown(kolkata!.at), kolkata!.hour], ['2026-01-15T06:30:00.000Z', hour(4, 12)])
})

test('an hour that clocks skip is left out and a repeated one occurs twice', () => {
  const spring = listWindowHours({ start: '2026-03-29T00:00:00Z', hours: 3 }, 'Europe/Paris').map((one) => one.hour)
  assert.deepEqual(spring, [hour(7, 1), hour(7, 3), hour(7, 4)])
  const autumn = listWindowHours({ start: '2026-10-25T00:00:00Z', hours: 3 }, 'Europe/Paris')
  assert.deepEqual(
    autumn.map((one) => one.hour),
    [hour(7, 2), hour(7, 2), hour(7, 3)],
  )
  assert.equal(findBestHour(autumn, new Map([[hour(7, 2), 3]]), uniform), autumn[0]!.at)
})

test('the hour with the highest score wins, and the earliest on a tie', () => {
  const window = listWindowHours({ start: '2026-01-15T00:00:00Z', hours: 24 }, 'UTC')
  assert.equal(findBestHour(window, new Map(), uniform), window[0]!.at)
  assert.equal(findBestHour(window, new Map([[hour(4, 18), 2]]), uniform), window[18]!.at)
  assert.equal(
    findBestHour(
      window,
      new Map([
        [hour(4, 18), 2],
        [hour(4, 9), 2],
      ]),
      uniform,
    ),
    window[9]!.at,
  )
  // Another day's hits say nothing of this one.
  assert.equal(findBestHour(window, new Map([[hour(5, 18), 9]]), uniform), window[0]!.at)
})

test("the account's habits count from 1,000 hits on, and a contact's own hits outweigh them", () => {
  const few = computeHourShares(new Map([[hour(4, 20), 999]]))
  assert.equal(few(hour(4, 20)), 1 / 168)
  const known = computeHourShares(
    new Map([
      [hour(4, 20), 900],
      [hour(4, 8), 100],
    ]),
  )
  assert.deepEqual([known(hour(4, 20)), known(hour(4, 8)), known(3)], [0.9, 0.1, 0])
  const window = listWindowHours({ start: '2026-01-15T00:00:00Z', hours: 24 }, 'UTC')
  assert.equal(findBestHour(window, new Map(), known), window[20]!.at)
  // (8 + 10 · 0.1) / 18 is less than (0 + 10 · 0.9) / 18 only below 8 hits.
  assert.equal(findBestHour(window, new Map([[hour(4, 8), 7]]), known), window[20]!.at)
  assert.equal(findBestHour(window, new Map([[hour(4, 8), 9]]), known), window[8]!.at)
})

test("a contact's minute is always the same and can be any of the hour", () => {
  const minutes = Array.from({ length: 2000 }, (_, n) => assignContactMinute(1, n + 1))
  assert.deepEqual(
    minutes,
    Array.from({ length: 2000 }, (_, n) => assignContactMinute(1, n + 1)),
  )
  assert.equal(new Set(minutes).size, 60)
})
