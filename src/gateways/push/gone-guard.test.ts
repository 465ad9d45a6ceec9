import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countAttempts, createGoneGuard } from './gone-guard.ts'

const MINUTE = 60_000

describe('the guard against devices that are all gone', () => {
  it('stops at more than a fifth of at least 200 attempts (14)', () => {
    const guard = createGoneGuard()
    assert.equal(countAttempts(guard, { attempts: 199, gone: 199 }, 0), false)
    assert.equal(countAttempts(guard, { attempts: 1, gone: 0 }, 1000), true)
    assert.equal(guard.stoppedSince, 0)
  })

  it('does not stop at a fifth', () => {
    const guard = createGoneGuard()
    assert.equal(countAttempts(guard, { attempts: 200, gone: 40 }, 0), false)
    assert.equal(countAttempts(guard, { attempts: 0, gone: 1 }, 0), true)
  })

  it('counts the last ten minutes alone, and says since when', () => {
    const guard = createGoneGuard()
    assert.equal(countAttempts(guard, { attempts: 150, gone: 150 }, 0), false)
    assert.equal(countAttempts(guard, { attempts: 150, gone: 0 }, 10 * MINUTE), false)
    assert.equal(countAttempts(guard, { attempts: 50, gone: 50 }, 11 * MINUTE), true)
    assert.equal(guard.stoppedSince, 10 * MINUTE)
  })

  it('stays stopped, whatever follows', () => {
    const guard = createGoneGuard()
    countAttempts(guard, { attempts: 300, gone: 300 }, 0)
    assert.equal(countAttempts(guard, { attempts: 10_000, gone: 0 }, 60 * MINUTE), true)
    assert.equal(guard.stoppedSince, 0)
  })

  it('keeps no more than what ten minutes need', () => {
    const guard = createGoneGuard()
    for (let at = 0; at < 1000; at++) countAttempts(guard, { attempts: 1, gone: 0 }, at * 1000)
    assert.ok(guard.parts.length <= 60)
  })
})
