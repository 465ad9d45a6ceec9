import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { eventually } from '#test/support/wait.ts'
import type { DueWorkWatch } from '../../jobs/due-watch.ts'
import { outboxLanes } from '../../lib/lanes.ts'
import { createLaneWatch, type WaitingSenderThread } from './lane-watch.ts'
import type { SenderRole } from './sender-roles.ts'

/** A watch that finds what it is told: each of `looks` resolves one, with whether something is there. */
function createFakeWatch() {
  const looks: ((isFilled: boolean) => void)[] = []
  const watch: DueWorkWatch = {
    add: () => undefined,
    until: () => new Promise((resolve) => looks.push(resolve)),
  }
  return { watch, looks }
}

function createThread(role: SenderRole) {
  const told: unknown[] = []
  const thread: WaitingSenderThread = { role, worker: { postMessage: (order) => void told.push(order) } }
  return { thread, told }
}

suite('waiting sender thread', () => {
  test('is notified at once of messages in its own lane', async () => {
    const { watch, looks } = createFakeWatch()
    const tell = createLaneWatch(watch, new AbortController().signal)
    for (const role of ['prompt', 'any'] as const) {
      const { thread, told } = createThread(role)
      const waiting = tell(thread, outboxLanes.transactional)
      looks.shift()!(true)
      await waiting
      assert.deepEqual(told, [{ filled: outboxLanes.transactional }])
    }
    const { thread, told } = createThread('bulk')
    const waiting = tell(thread, outboxLanes.bulk)
    looks.shift()!(true)
    await waiting
    assert.deepEqual([told, looks], [[{ filled: outboxLanes.bulk }], []])
  })

  test('helps with another lane only when messages are still there a while later', async () => {
    const { watch, looks } = createFakeWatch()
    const { thread, told } = createThread('bulk')
    const begun = performance.now()
    const waiting = createLaneWatch(watch, new AbortController().signal)(thread, outboxLanes.transactional)
    looks.shift()!(true)
    await eventually(() => looks.length > 0)
    assert.ok(performance.now() - begun >= 99)
    assert.deepEqual(told, [])
    looks.shift()!(true)
    await waiting
    assert.deepEqual(told, [{ filled: outboxLanes.transactional }])
  })

  test('is notified when the database is unreachable and when it has to stop', async () => {
    const stopped = new AbortController()
    const { watch, looks } = createFakeWatch()
    const away: DueWorkWatch = { ...watch, until: () => Promise.reject(new Error('away')) }
    const { thread, told } = createThread('prompt')
    await createLaneWatch(away, stopped.signal)(thread, outboxLanes.urgent)
    assert.deepEqual(told, [{ filled: outboxLanes.urgent }])
    const helping = createThread('bulk')
    const waiting = createLaneWatch(watch, stopped.signal)(helping.thread, outboxLanes.urgent)
    looks.shift()!(true)
    stopped.abort()
    await waiting
    assert.deepEqual(helping.told, [{ filled: outboxLanes.urgent }])
  })
})
