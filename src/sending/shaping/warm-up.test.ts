import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { getWarmUpAllowance } from './warm-up.ts'

describe('warm-up schedule', () => {
  const schedule = [50, 100, 200]

  it('allows each day its number, nothing before the first day and any number after the last', () => {
    const days = ['2027-02-27', '2027-02-28', '2027-03-01', '2027-03-02', '2027-03-03']
    assert.deepEqual(
      days.map((day) => getWarmUpAllowance(day, '2027-02-28', schedule)),
      [0, 50, 100, 200, undefined],
    )
  })
})
