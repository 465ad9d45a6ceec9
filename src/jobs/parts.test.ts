import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { createPartRunner } from './parts.ts'

function runner() {
  const registry = new Registry()
  const lines: object[] = []
  const log = { error: (details: object) => void lines.push(details) }
  const ran: string[] = []
  const part = (name: string, error?: Error) => async () => {
    ran.push(name)
    if (error) throw error
  }
  return { registry, lines, ran, part, run: createPartRunner({ log: log as never, registry }) }
}
const going = new AbortController().signal

test('a part of the housekeeping that fails is logged and counted, and stops no other part', async () => {
  const { registry, lines, ran, part, run } = runner()
  const broken = new Error('time zone "Europe/Atlantis" not recognized')
  const parts = { first: part('first'), growth: part('growth', broken), last: part('last') }
  await assert.rejects(run(parts, going), (error: AggregateError) => error.errors[0] === broken)
  await assert.rejects(run(parts, going))
  assert.deepEqual(ran, ['first', 'growth', 'last', 'first', 'growth', 'last'])
  assert.deepEqual(lines, Array(2).fill({ err: broken, part: 'growth' }))
  assert.match(await registry.metrics(), /^stentor_task_part_failures_total\{part="growth"\} 2$/m)
})

test('parts of the housekeeping that all work leave no trace', async () => {
  const { lines, ran, part, run } = runner()
  await run({ first: part('first'), last: part('last') }, going)
  assert.deepEqual([ran, lines], [['first', 'last'], []])
})

test('without the database the housekeeping ends at once, and an end of the process starts no further part', async () => {
  const { lines, ran, part, run } = runner()
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  await assert.rejects(run({ first: part('first', away), last: part('last') }, going), away)
  const ending = new AbortController()
  const end = async () => ending.abort()
  await assert.rejects(run({ end, last: part('last') }, ending.signal), { name: 'AbortError' })
  assert.deepEqual([ran, lines], [['first'], []])
})
