import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { eventually } from '#test/support/wait.ts'
import { type ThreadLimit, watchThreadCpu } from './thread-limit.ts'

const COMPUTES = 'for (let n = 0; n >= 0; n++) n %= 7'
const WAITS = 'setInterval(() => {}, 1_000_000)'

/** A thread that runs, to the end of the test at most. */
async function start(t: TestContext, code: string): Promise<Worker> {
  const worker = new Worker(code, { eval: true })
  t.after(() => worker.terminate())
  await once(worker, 'online')
  return worker
}

/** Watches a thread, and counts how often its processor time is read. */
function watched(t: TestContext, worker: Worker, cpuMs: number) {
  const passed: ThreadLimit[] = []
  const usageReads = t.mock.method(worker, 'cpuUsage')
  const end = watchThreadCpu(worker, cpuMs, (limit) => passed.push(limit))
  t.after(end)
  return { passed, end, usageReads: () => usageReads.mock.callCount() }
}

async function computedMs(worker: Worker): Promise<number> {
  const { user, system } = await worker.cpuUsage()
  return (user + system) / 1000
}

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

suite('watch over a thread', () => {
  test('is passed once by a thread that computes', async (t) => {
    const worker = await start(t, COMPUTES)
    const { passed } = watched(t, worker, 20)
    await eventually(() => passed.length > 0)
    const before = await computedMs(worker)
    await eventually(async () => (await computedMs(worker)) > before + 60)
    assert.deepEqual(passed, ['cpu'])
  })

  test('is not passed by a thread that waits, however busy its process is', async (t) => {
    const [idle, busy] = [await start(t, WAITS), await start(t, COMPUTES)]
    const { passed, usageReads } = watched(t, idle, 100)
    // The main thread stands still for longer than the limit.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
    await eventually(async () => usageReads() >= 4 && (await computedMs(busy)) > 300)
    assert.deepEqual(passed, [])
  })

  test('ends when it is told to', async (t) => {
    const worker = await start(t, COMPUTES)
    const { passed, end } = watched(t, worker, 1)
    end()
    const before = await computedMs(worker)
    await eventually(async () => (await computedMs(worker)) > before + 60)
    assert.deepEqual(passed, [])
  })

  test('ends with its thread', async (t) => {
    const before = timers()
    const worker = await start(t, WAITS)
    const { passed, usageReads } = watched(t, worker, 100)
    await eventually(() => usageReads() >= 2)
    await worker.terminate()
    await eventually(() => timers() <= before)
    assert.deepEqual(passed, [])
  })
})
