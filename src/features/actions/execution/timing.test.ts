import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { StoredActionScheduler } from '../resource/action-repository.ts'
import { computeCampaignTiming } from './timing.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')

function timing(more: Partial<StoredActionScheduler>, zone = 'Europe/Paris') {
  const scheduler: StoredActionScheduler = {
    type: 'asap',
    startDate: null,
    endDate: null,
    speed: 0,
    timeZoneField: null,
    ...more,
  }
  const found = computeCampaignTiming(scheduler, zone, NOW)
  return found && [new Date(found.startsAt).toISOString(), new Date(found.latest).toISOString()]
}

suite('timing of campaigns', () => {
  test('starts an immediate campaign now and a scheduled one at its date', () => {
    assert.deepEqual(timing({}), ['2026-03-20T12:00:00.000Z', '2026-03-20T12:00:00.000Z'])
    const startDate = '2026-04-01T08:00:00.000Z'
    assert.deepEqual(timing({ type: 'scheduled', startDate }), [startDate, startDate])
  })

  test('is undefined without the date that the schedule requires', () => {
    assert.equal(timing({ type: 'scheduled' }), undefined)
    assert.equal(timing({ type: 'timeZoneSchedule' }), undefined)
  })

  test("reads the date on the account's clock and moves a skipped time forward by the gap", () => {
    const zoned = { type: 'timeZoneSchedule', startDate: '2026-07-01T09:00:00.000Z' } as const
    assert.deepEqual(timing(zoned), ['2026-07-01T07:00:00.000Z', '2026-07-01T07:00:00.000Z'])
    assert.deepEqual(timing({ ...zoned, startDate: '2026-03-29T02:30:00.000Z' })?.[0], '2026-03-29T01:30:00.000Z')
  })

  test("with contacts' time zones, starts with the first clock on earth and may start until the last", () => {
    const zoned = { type: 'timeZoneSchedule', startDate: '2026-07-02T09:00:00.000Z', timeZoneField: 7 } as const
    assert.deepEqual(timing(zoned), ['2026-07-01T19:00:00.000Z', '2026-07-02T21:00:00.000Z'])
  })
})
