import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPatience, endPatience, wait, waitNoMore } from './patience.ts'

/** Resolves with the time-out that was over, and how many milliseconds that took. */
function watched() {
  const { promise, resolve } = Promise.withResolvers<number>()
  return { patience: createPatience(resolve), over: promise }
}

describe('patience', () => {
  it('ends a wait when its time is over, not before', async () => {
    const { patience, over } = watched()
    const begun = performance.now()
    wait(patience, 20)
    assert.equal(await over, 20)
    assert.ok(performance.now() - begun >= 20)
  })

  it('ends a short wait in time though a long one was before it', async () => {
    const { patience, over } = watched()
    wait(patience, 600_000)
    waitNoMore(patience)
    wait(patience, 10)
    assert.equal(await over, 10)
  })

  it('counts each wait from its own beginning', async () => {
    const { patience, over } = watched()
    wait(patience, 15)
    const second = Promise.withResolvers<number>()
    setTimeout(() => {
      wait(patience, 30)
      second.resolve(performance.now())
    }, 5)
    const begun = await second.promise
    assert.equal(await over, 30)
    assert.ok(performance.now() - begun >= 30)
  })

  it('does not end what has come, nor after its own end', async () => {
    const ended: number[] = []
    const patience = createPatience((ms) => ended.push(ms))
    const { patience: later, over } = watched()
    wait(patience, 5)
    waitNoMore(patience)
    const gone = createPatience((ms) => ended.push(ms))
    wait(gone, 5)
    endPatience(gone)
    wait(later, 20)
    await over
    assert.deepEqual(ended, [])
  })
})
