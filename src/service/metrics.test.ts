import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { eventually } from '#test/support/wait.ts'
import { registerProcessMetrics } from './metrics.ts'

const BLOCKED_MS = 300

/** The metrics of the event loop's lag, without what they begin with, in seconds. */
async function lagOf(registry: Registry): Promise<Record<string, number>> {
  const lines = (await registry.metrics()).matchAll(/^nodejs_eventloop_lag_(\S+) (\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
}

test('the event loop lag covers the time since the last collection and is 0 without a delay', async () => {
  const registry = new Registry()
  registerProcessMetrics(registry)
  const first = await lagOf(registry)
  assert.deepEqual(Object.keys(first), [
    'seconds',
    ...['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map((name) => `${name}_seconds`),
  ])
  const { seconds: _, ...others } = first
  assert.deepEqual(new Set(Object.values(others)), new Set([0]))
  // On a busy machine it may take some tries until nothing delays the loop.
  await eventually(async () => ((await lagOf(registry))['seconds'] ?? 1) < 0.1)

  const blocked = await eventually(async () => {
    await delay(500)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS)
    await delay(500)
    const lag = await lagOf(registry)
    assert.ok((lag['min_seconds'] ?? 1) < 0.05, JSON.stringify(lag))
    return lag
  })
  // A timer was to come at most 100 ms after the loop was blocked.
  assert.ok((blocked['max_seconds'] ?? 0) >= (BLOCKED_MS - 110) / 1000, JSON.stringify(blocked))

  await eventually(async () => {
    await delay(500)
    const lag = await lagOf(registry)
    assert.ok((lag['max_seconds'] ?? 1) < (blocked['max_seconds'] ?? 0), JSON.stringify(lag))
    return true
  })
})
