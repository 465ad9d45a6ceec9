import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { eventually } from '#test/support/wait.ts'
import { Problem } from '../../lib/errors/problem.ts'
import type { RenderOutcome } from './render.ts'
import { createRenderPool } from './render-pool.ts'
import { sampleInput, sampleSource } from './samples.ts'

describe('render pool', () => {
  const pool = createRenderPool({ threads: 1, queueLimit: 50 })
  after(() => pool.close())

  it('renders and reports the same as rendering without a pool', async () => {
    const source = sampleSource({ html: '<a href="https://a.example/">{{ contact.Firstname }}</a>', subject: 'S' })
    const rendered = await pool.render(source, sampleInput({}))
    assert.equal(rendered.outcome, 'rendered')
    assert.match(
      rendered.outcome === 'rendered' ? (rendered.parts['html'] ?? '') : '',
      /^<a href="https:\/\/t\.shop\.example\/t\/r\/[\w-]{72}">Ann<\/a>$/,
    )
    const report = await pool.compile(sampleSource({ html: '{% nothing %}' }))
    assert.deepEqual(
      report.errors.map(({ type }) => type),
      ['unknown-tag'],
    )
  })

  it('returns concurrent results in order', async () => {
    const source = sampleSource({ html: '{{ data.n }}' })
    const rendered = await Promise.all(
      [...Array(20).keys()].map((n) => pool.render(source, sampleInput({ data: { n } }))),
    )
    assert.deepEqual(
      rendered.map((message) => message.outcome === 'rendered' && message.parts['html']),
      [...Array(20).keys()].map(String),
    )
  })

  it('renders many messages of one content in order, across several jobs', async () => {
    const numbers = [...Array(450).keys()]
    const rendered = await pool.renderAll(
      sampleSource({ html: '{{ data.n }}' }),
      numbers.map((n) => sampleInput({ data: { n } })),
    )
    assert.deepEqual(
      rendered.map((message) => message.outcome === 'rendered' && message.parts['html']),
      numbers.map(String),
    )
    assert.deepEqual(await pool.renderAll(sampleSource({ html: 'x' }), []), [])
  })

  it('stops a template that exceeds the limits and renders the next one', async () => {
    const runaway = sampleSource({ html: '{% for i in (1..100000000) %}x{% endfor %}' })
    const failed = await pool.render(runaway, sampleInput({}))
    assert.equal(failed.outcome === 'failed' && failed.type, 'limit')
    assert.equal((await pool.render(sampleSource({ html: 'ok' }), sampleInput({}))).outcome, 'rendered')
  })
})

describe('render pool watchdog', () => {
  it('ends the thread of a stuck job, tries it once more, reports its failure and continues with another thread', async () => {
    const pool = createRenderPool({ threads: 1, queueLimit: 50, watchdogMs: 1 })
    after(() => pool.close())
    const slow = sampleSource({ html: '{% for i in (1..190000) %}{{ i }}{% endfor %}' })
    const areStopped = (jobs: readonly RenderOutcome[]): boolean =>
      jobs.every((job) => job.outcome === 'failed' && job.type === 'limit')
    // Where this thread was busy, a job may have ended before its thread was looked at.
    await eventually(async () =>
      areStopped(await Promise.all([pool.render(slow, sampleInput({})), pool.render(slow, sampleInput({}))])),
    )
    await eventually(async () => areStopped(await pool.renderAll(slow, [sampleInput({}), sampleInput({})])))
    const long = sampleSource({ html: '{% if a %}{{ b }}{% endif %}'.repeat(20_000) })
    await eventually(async () => (await pool.compile(long)).errors[0]?.type === 'limit')
  })

  it('does not end the thread of a short job while the main thread stands still', async () => {
    const pool = createRenderPool({ threads: 1, queueLimit: 50, watchdogMs: 1000 })
    after(() => pool.close())
    const source = sampleSource({ html: 'ok' })
    assert.equal((await pool.render(source, sampleInput({}))).outcome, 'rendered')
    const rendered = pool.render(source, sampleInput({}))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200)
    assert.equal((await rendered).outcome, 'rendered')
  })
})

describe('idle render thread', () => {
  it('ends, and a new one renders later jobs', async () => {
    const pool = createRenderPool({ threads: 1, queueLimit: 50, idleMs: 0 })
    after(() => pool.close())
    const started: Promise<Worker> = once(process, 'worker').then(([worker]) => worker)
    await pool.render(sampleSource({ html: 'ok' }), sampleInput({}))
    const thread = await started
    thread.ref()
    await once(thread, 'exit')
    assert.equal((await pool.render(sampleSource({ html: 'ok' }), sampleInput({}))).outcome, 'rendered')
  })
})

describe('full render queue', () => {
  it('refuses with 503 and Retry-After, and queued jobs are still rendered', async () => {
    const pool = createRenderPool({ threads: 1, queueLimit: 2 })
    after(() => pool.close())
    const source = sampleSource({ html: 'x' })
    const input = sampleInput({})
    const accepted = [pool.render(source, input), pool.render(source, input), pool.render(source, input)]
    await assert.rejects(pool.render(source, input), (error: unknown) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.status, error.headers['Retry-After']], [503, '1'])
      return true
    })
    for (const rendered of await Promise.all(accepted)) assert.equal(rendered.outcome, 'rendered')
  })

  it('renders previews last', async () => {
    const pool = createRenderPool({ threads: 1, queueLimit: 10 })
    after(() => pool.close())
    const source = sampleSource({ html: 'x' })
    const order: string[] = []
    const done = (name: string) => () => void order.push(name)
    await Promise.all([
      pool.render(source, sampleInput({})).then(done('first')),
      pool.render(source, sampleInput({})).then(done('preview')),
      pool.compile(source).then(done('save')),
      pool.renderAll(source, [sampleInput({})]).then(done('many')),
    ])
    assert.deepEqual(order, ['first', 'save', 'many', 'preview'])
  })

  it('rejects queued jobs when the pool is closed', async () => {
    const pool = createRenderPool({ threads: 1, queueLimit: 10 })
    const source = sampleSource({ html: 'x' })
    const waiting = [pool.render(source, sampleInput({})), pool.compile(source)].map((job) =>
      assert.rejects(job, Problem),
    )
    await pool.close()
    await Promise.all(waiting)
    await assert.rejects(pool.compile(source), Problem)
  })
})
