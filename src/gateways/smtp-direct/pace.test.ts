import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  createDestinationPace,
  getPaceConnections,
  getPaceFactor,
  getPaceRate,
  getPaceState,
  hasPaceToken,
  isPaceSuspended,
  resumePaceAfterProbe,
  slowDownPace,
  suspendPace,
  suspendPaceUntil,
  takePaceToken,
} from './pace.ts'

const limits = { connections: 8, messages: 100, rate: 40, backoff: [5, 15] }
const MINUTE = 60_000
const START = 1_000_000_000
const middle = () => 0.5

describe('pace of a destination', () => {
  it('is its share of the limits, with at least one connection', () => {
    const pace = createDestinationPace(limits, 4, START)
    assert.deepEqual([getPaceRate(pace, START), getPaceConnections(pace, START)], [10, 2])
    const many = createDestinationPace(limits, 20, START)
    assert.deepEqual([getPaceRate(many, START), getPaceConnections(many, START)], [2, 1])
  })

  it("allows one second's worth at once and then the rate", () => {
    const pace = createDestinationPace({ ...limits, rate: 2 }, 1, START)
    const gone = (now: number) => {
      let n = 0
      for (; hasPaceToken(pace, now); n++) takePaceToken(pace)
      return n
    }
    assert.deepEqual([gone(START), gone(START + 400), gone(START + 500), gone(START + 60_000)], [2, 0, 1, 2])
  })

  it('is halved once by signs that arrive together, and recovers over time', () => {
    const pace = createDestinationPace(limits, 1, START)
    slowDownPace(pace, START)
    slowDownPace(pace, START + 1000)
    assert.deepEqual(
      [getPaceRate(pace, START), getPaceConnections(pace, START), getPaceState(pace, START)],
      [20, 4, 'slow'],
    )
    slowDownPace(pace, START + 11_000)
    assert.ok(getPaceFactor(pace, START + 11_000) < 0.26)
    assert.equal(getPaceFactor(pace, START + 30 * MINUTE), 1)
    assert.equal(getPaceState(pace, START + 30 * MINUTE), 'open')
  })

  it('stops while suspended, then probes with one connection and resumes at a quarter', () => {
    const pace = createDestinationPace(limits, 1, START)
    suspendPace(pace, START, undefined, middle)
    assert.deepEqual(
      [pace.suspendedUntil, getPaceState(pace, START), hasPaceToken(pace, START)],
      [START + 5 * MINUTE, 'suspended', false],
    )
    const after = START + 5 * MINUTE
    assert.deepEqual(
      [isPaceSuspended(pace, after), hasPaceToken(pace, after), getPaceConnections(pace, after)],
      [false, true, 1],
    )
    resumePaceAfterProbe(pace, after)
    assert.deepEqual(
      [getPaceRate(pace, after), getPaceConnections(pace, after), getPaceState(pace, after)],
      [10, 2, 'slow'],
    )
  })

  it('is suspended for longer after a failed probe, and for the first duration again an hour later', () => {
    const pace = createDestinationPace(limits, 1, START)
    const lengths = [0, 1, 2].map(() => {
      const from = Math.max(START, pace.suspendedUntil)
      suspendPace(pace, from, 1, middle)
      return (pace.suspendedUntil - from) / MINUTE
    })
    assert.deepEqual(lengths, [1, 15, 15])
    const later = pace.suspendedUntil + 61 * MINUTE
    suspendPace(pace, later, undefined, middle)
    assert.equal(pace.suspendedUntil, later + 5 * MINUTE)
  })

  it('adopts a suspension that another sender reports', () => {
    const pace = createDestinationPace(limits, 1, START)
    suspendPaceUntil(pace, START + MINUTE)
    assert.equal(getPaceState(pace, START), 'suspended')
    suspendPaceUntil(pace, START)
    assert.equal(pace.suspendedUntil, START + MINUTE)
  })

  it('is neither slower nor suspended for longer when the clock is put back an hour', () => {
    const pace = createDestinationPace(limits, 1, START)
    assert.equal(getPaceRate(pace, START - 60 * MINUTE), 40)
    assert.equal(hasPaceToken(pace, START - 60 * MINUTE), true)
    slowDownPace(pace, START)
    assert.equal(getPaceRate(pace, START - 60 * MINUTE), 20)
    suspendPace(pace, START, undefined, middle)
    const back = START - 60 * MINUTE
    assert.equal(isPaceSuspended(pace, back), false)
    suspendPace(pace, back, undefined, middle)
    assert.deepEqual([isPaceSuspended(pace, back), isPaceSuspended(pace, back + 16 * MINUTE)], [true, false])
  })
})
