import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clearReplyTimeout, createReplyTimeout, disposeReplyTimeout, startReplyTimeout } from './reply-timeout.ts'

/** Resolves with the time-out that was over, and how many milliseconds that took. */
function watched() {
  const { promise, resolve } = Promise.withResolvers<number>()
  return { timeout: createReplyTimeout(resolve), over: promise }
}

describe('SMTP reply timeout', () => {
  it('ends a wait after its duration and not before', async () => {
    const { timeout, over } = watched()
    const startedAt = performance.now()
    startReplyTimeout(timeout, 20)
    assert.equal(await over, 20)
    assert.ok(performance.now() - startedAt >= 20)
  })

  it('ends a short wait in time after a longer one', async () => {
    const { timeout, over } = watched()
    startReplyTimeout(timeout, 600_000)
    clearReplyTimeout(timeout)
    startReplyTimeout(timeout, 10)
    assert.equal(await over, 10)
  })

  it('counts each wait from its own start', async () => {
    const { timeout, over } = watched()
    startReplyTimeout(timeout, 15)
    const second = Promise.withResolvers<number>()
    setTimeout(() => {
      startReplyTimeout(timeout, 30)
      second.resolve(performance.now())
    }, 5)
    const startedAt = await second.promise
    assert.equal(await over, 30)
    assert.ok(performance.now() - startedAt >= 30)
  })

  it('does not fire after a reply has arrived or after it is disposed', async () => {
    const ended: number[] = []
    const timeout = createReplyTimeout((ms) => ended.push(ms))
    const { timeout: later, over } = watched()
    startReplyTimeout(timeout, 5)
    clearReplyTimeout(timeout)
    const gone = createReplyTimeout((ms) => ended.push(ms))
    startReplyTimeout(gone, 5)
    disposeReplyTimeout(gone)
    startReplyTimeout(later, 20)
    await over
    assert.deepEqual(ended, [])
  })
})
