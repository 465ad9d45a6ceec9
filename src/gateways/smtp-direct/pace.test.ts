import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  connectionsOf,
  createPace,
  factorOf,
  hasToken,
  isSuspended,
  probed,
  rateOf,
  slowDown,
  stateOf,
  suspend,
  suspendUntil,
  takeToken,
} from './pace.ts'

const limits = { connections: 8, messages: 100, rate: 40, backoff: [5, 15] }
const MINUTE = 60_000
const START = 1_000_000_000
const middle = () => 0.5

describe('pace of a destination', () => {
  it('is its share of the limits, with at least one connection', () => {
    const pace = createPace(limits, 4, START)
    assert.deepEqual([rateOf(pace, START), connectionsOf(pace, START)], [10, 2])
    const many = createPace(limits, 20, START)
    assert.deepEqual([rateOf(many, START), connectionsOf(many, START)], [2, 1])
  })

  it("allows one second's worth at once and then the rate", () => {
    const pace = createPace({ ...limits, rate: 2 }, 1, START)
    const gone = (now: number) => {
      let n = 0
      for (; hasToken(pace, now); n++) takeToken(pace)
      return n
    }
    assert.deepEqual([gone(START), gone(START + 400), gone(START + 500), gone(START + 60_000)], [2, 0, 1, 2])
  })

  it('is halved once by signs that arrive together, and recovers over time', () => {
    const pace = createPace(limits, 1, START)
    slowDown(pace, START)
    slowDown(pace, START + 1000)
    assert.deepEqual([rateOf(pace, START), connectionsOf(pace, START), stateOf(pace, START)], [20, 4, 'slow'])
    slowDown(pace, START + 11_000)
    assert.ok(factorOf(pace, START + 11_000) < 0.26)
    assert.equal(factorOf(pace, START + 30 * MINUTE), 1)
    assert.equal(stateOf(pace, START + 30 * MINUTE), 'open')
  })

  it('stops while suspended, then probes with one connection and resumes at a quarter', () => {
    const pace = createPace(limits, 1, START)
    suspend(pace, START, undefined, middle)
    assert.deepEqual(
      [pace.suspendedUntil, stateOf(pace, START), hasToken(pace, START)],
      [START + 5 * MINUTE, 'suspended', false],
    )
    const after = START + 5 * MINUTE
    assert.deepEqual([isSuspended(pace, after), hasToken(pace, after), connectionsOf(pace, after)], [false, true, 1])
    probed(pace, after)
    assert.deepEqual([rateOf(pace, after), connectionsOf(pace, after), stateOf(pace, after)], [10, 2, 'slow'])
  })

  it('is suspended for longer after a failed probe, and for the first duration again an hour later', () => {
    const pace = createPace(limits, 1, START)
    const lengths = [0, 1, 2].map(() => {
      const from = Math.max(START, pace.suspendedUntil)
      suspend(pace, from, 1, middle)
      return (pace.suspendedUntil - from) / MINUTE
    })
    assert.deepEqual(lengths, [1, 15, 15])
    const later = pace.suspendedUntil + 61 * MINUTE
    suspend(pace, later, undefined, middle)
    assert.equal(pace.suspendedUntil, later + 5 * MINUTE)
  })

  it('adopts a suspension that another sender reports', () => {
    const pace = createPace(limits, 1, START)
    suspendUntil(pace, START + MINUTE)
    assert.equal(stateOf(pace, START), 'suspended')
    suspendUntil(pace, START)
    assert.equal(pace.suspendedUntil, START + MINUTE)
  })

  it('is neither slower nor suspended for longer when the clock is put back an hour', () => {
    const pace = createPace(limits, 1, START)
    assert.equal(rateOf(pace, START - 60 * MINUTE), 40)
    assert.equal(hasToken(pace, START - 60 * MINUTE), true)
    slowDown(pace, START)
    assert.equal(rateOf(pace, START - 60 * MINUTE), 20)
    suspend(pace, START, undefined, middle)
    const back = START - 60 * MINUTE
    assert.equal(isSuspended(pace, back), false)
    suspend(pace, back, undefined, middle)
    assert.deepEqual([isSuspended(pace, back), isSuspended(pace, back + 16 * MINUTE)], [true, false])
  })
})
