import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Problem } from '../errors/problem.ts'
import { createWorkSlots } from './work-slots.ts'

/** Work that ends on request, and the names of the work that has started. */
function works() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    work: (name: string) => () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.()
      await nextTurn()
    },
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof Problem && error.status === 503 && error.headers['Retry-After'] === '1' && error.detail === 'Full.'

describe('places', () => {
  test('are given to at most N at a time, in the order of waiting, writes before previews', async () => {
    const inPlace = createWorkSlots(1, 'Full.')
    const { started, work, end } = works()
    const all = ['first', 'preview', 'write', 'other write'].map((name) =>
      inPlace(work(name), { isPreview: name === 'preview' }),
    )
    const order = ['first', 'write', 'other write', 'preview']
    for (const [at, name] of order.entries()) {
      assert.deepEqual(started, order.slice(0, at + 1))
      await end(name)
    }
    assert.deepEqual(await Promise.all(all), ['first', 'preview', 'write', 'other write'])
  })

  test('refuse work that has waited for 5 s with 503 and Retry-After, and never start it', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const inPlace = createWorkSlots(1, 'Full.')
    const { started, work, end } = works()
    const first = inPlace(work('first'))
    const second = assert.rejects(inPlace(work('second')), isRefused)
    t.mock.timers.tick(4999)
    const third = inPlace(work('third'))
    t.mock.timers.tick(1)
    await second
    await end('first')
    await end('third')
    assert.deepEqual([await first, await third, started], ['first', 'third', ['first', 'third']])
  })

  test('refuse work at once when too many wait', async () => {
    const inPlace = createWorkSlots(1, 'Full.', 1)
    const { work, end } = works()
    const both = [inPlace(work('first')), inPlace(work('second'))]
    await assert.rejects(inPlace(work('third')), isRefused)
    await end('first')
    await end('second')
    assert.deepEqual(await Promise.all(both), ['first', 'second'])
  })

  test('are free again after work that failed', async () => {
    const inPlace = createWorkSlots(1, 'Full.')
    await assert.rejects(
      inPlace(() => Promise.reject(new Error('no'))),
      { message: 'no' },
    )
    assert.equal(await inPlace(async () => 1), 1)
  })
})
