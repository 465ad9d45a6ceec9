import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allowanceOn } from './warm-up.ts'

describe('the schedule of a warm-up', () => {
  const schedule = [50, 100, 200]

  it('gives each day its number, nothing before the first, and anything after the last', () => {
    const days = ['2027-02-27', '2027-02-28', '2027-03-01', '2027-03-02', '2027-03-03']
    assert.deepEqual(
      days.map((day) => allowanceOn(day, '2027-02-28', schedule)),
      [0, 50, 100, 200, undefined],
    )
  })
})
