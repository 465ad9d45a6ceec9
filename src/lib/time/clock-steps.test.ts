import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import { createClockStepWatch } from './clock-steps.ts'

const HOUR = 3_600_000

function watch() {
  const lines: { level: number; clock: string; stepMs: number }[] = []
  const registry = new Registry()
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) })
  const steps = createClockStepWatch({ log, registry })
  const told: [string, number][] = []
  steps.onStep((clock, ms) => told.push([clock, ms]))
  /** A sample that took no time. */
  const sample = (wall: number, at: number, clock: 'machine' | 'database' = 'machine') =>
    steps.sample(clock, { wall, asked: at, answered: at })
  const counted = async () =>
    (await registry.getMetricsAsJSON()).flatMap(({ values }) =>
      values.map(({ labels, value }) => [labels['clock'], labels['direction'], value]),
    )
  return { steps, sample, lines, told, counted }
}

suite('the watch for steps of clocks', () => {
  test('logs, counts and tells each step of more than 5 s once, with its direction', async () => {
    const { sample, lines, told, counted } = watch()
    sample(10 * HOUR, 0)
    sample(9 * HOUR, 0)
    sample(9 * HOUR + 1000, 1000)
    sample(10 * HOUR + 2000, 2000)
    sample(10 * HOUR + 3000, 3000)
    assert.deepEqual(told, [
      ['machine', -HOUR],
      ['machine', HOUR],
    ])
    assert.deepEqual(
      lines.map(({ level, clock, stepMs }) => [level, clock, stepMs]),
      [
        [40, 'machine', -HOUR],
        [40, 'machine', HOUR],
      ],
    )
    assert.deepEqual(await counted(), [
      ['machine', 'back', 1],
      ['machine', 'forward', 1],
    ])
  })

  test('takes a process that stood still, and small corrections, for no step', () => {
    const { sample, told } = watch()
    sample(0, 0)
    sample(HOUR, HOUR)
    sample(HOUR - 5000, HOUR)
    sample(HOUR, HOUR)
    assert.deepEqual(told, [])
  })

  test('takes an answer of the database that came late for no step', () => {
    const { steps, told } = watch()
    steps.sample('database', { wall: 0, asked: 0, answered: 60_000 })
    steps.sample('database', { wall: 60_500, asked: 60_000, answered: 60_500 })
    steps.sample('database', { wall: 61_000, asked: 61_000, answered: 120_000 })
    steps.sample('database', { wall: 61_000 - HOUR, asked: 120_000, answered: 120_001 })
    assert.deepEqual(told, [['database', -HOUR]])
  })

  test('compares each clock with its own samples', () => {
    const { sample, told } = watch()
    sample(0, 0, 'machine')
    sample(HOUR, 0, 'database')
    sample(1000, 1000, 'machine')
    sample(HOUR + 1000, 1000, 'database')
    assert.deepEqual(told, [])
  })
})
