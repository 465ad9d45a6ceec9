import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { foldWorkflowCounts } from '../../../src/features/workflows/counts/version-counts.ts'
import { claimRuns } from '../../../src/features/workflows/engine/run-leases.ts'
import { createWorkflowTasks } from '../../../src/features/workflows/engine/workflow-tasks.ts'
import { purgeWorkflowRuns, purgeWorkflowVersions } from '../../../src/features/workflows/runs/retention.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { call, clock, context, makeKey, own, other } = harness
const { db } = context
const stage = workflowStage(harness)
const PATH = '/scripting/workflows'
const HOUR = 3_600_000
const DAY = 24 * HOUR

const sleep = { id: 's', type: 'sleep', default: true, settings: { period: { unit: 'HOUR', value: 1 } }, next: 'end' }
const end = { id: 'end', type: 'terminal', settings: { outcome: 'old' } }
const failing = {
  id: 'f',
  type: 'sleep',
  default: true,
  next: 'end',
  settings: { until: { type: 'path', value: 'data.when' } },
}

async function workflow(nodes: object[] = [sleep, end], settings: object = {}): Promise<number> {
  const { body } = await call('POST', PATH, { body: { name: 'Flow', nodes, settings } })
  const answer = await call('POST', `${PATH}/${body.id}/activation`)
  assert.equal(answer.status, 204, answer.text)
  return body.id
}

/** Stores a run; gives its id. */
async function begin(id: number, more: object = {}): Promise<string> {
  const { body } = await call('POST', `${PATH}/${id}/execution`, { body: more })
  assert.equal(body.type, 'success')
  return body.id
}

async function started(id: number, more: object = {}): Promise<string> {
  const run = await begin(id, more)
  await stage.work()
  return run
}

const list = async (id: number, query = '') => {
  const answer = await call('GET', `${PATH}/${id}/runs${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.map((run: { id: string }) => run.id)
}
const read = async (id: number, run: string) => (await call('GET', `${PATH}/${id}/runs/${run}`)).body
const statistics = async (id: number, query = '') => (await call('GET', `${PATH}/${id}/statistics${query}`)).body

suite('workflow runs', () => {
  test('are filtered by contact, status, node, version and date, and paged in both directions', async () => {
    const id = await workflow()
    const { body: ann } = await call('POST', '/targets', { body: { Email: 'ann@shop.example' } })
    const one = await started(id, { receiver: { type: 'id', value: ann.id } })
    clock.advance(HOUR)
    await stage.work()
    const since = new Date(clock.now()).toISOString()
    const two = await started(id)
    assert.deepEqual(await list(id), [one, two])
    assert.deepEqual(await list(id, '?sort=desc'), [two, one])
    assert.deepEqual(await list(id, `?contact=${ann.id}`), [one])
    assert.deepEqual(await list(id, '?unicity=ann@shop.example'), [one])
    assert.deepEqual(await list(id, '?unicity=nobody@shop.example'), [])
    assert.deepEqual(await list(id, '?status=waiting,failed'), [two])
    assert.deepEqual(await list(id, '?status=completed'), [one])
    assert.deepEqual(await list(id, '?node=s'), [two])
    assert.deepEqual(await list(id, '?version=2'), [])
    assert.deepEqual([await list(id, `?start=${since}`), await list(id, `?end=${since}`)], [[two], [one]])
    const page = await call('GET', `${PATH}/${id}/runs?limit=1&sort=desc`)
    assert.equal(page.body[0].id, two)
    const next = /<([^>]+)>/.exec(String(page.headers['link']))![1]!
    assert.equal((await call('GET', next)).body[0].id, one)
    const refused = await Promise.all(
      ['?status=gone', `?contact=${ann.id}&hash=x`, '?start=soon', '?after=x'].map((query) =>
        call('GET', `${PATH}/${id}/runs${query}`),
      ),
    )
    assert.deepEqual(
      refused.map(({ status }) => status),
      [400, 400, 400, 400],
    )
  })

  test('show their trace and data, and can be killed once', async () => {
    const id = await workflow()
    const run = await started(id, { data: { n: 1 } })
    const body = await read(id, run)
    assert.deepEqual(
      [body.status, body.node, body.data, body.start.type, body.trace],
      ['waiting', 's', { n: 1 }, 'execution', []],
    )
    assert.equal(body.wake, new Date(clock.now() + HOUR).toISOString())
    const kill = async () => (await call('DELETE', `${PATH}/${id}/runs/${run}`)).status
    assert.deepEqual([await kill(), await kill()], [204, 409])
    clock.advance(2 * HOUR)
    await stage.work()
    const ended = await read(id, run)
    assert.deepEqual([ended.status, ended.trace], ['killed', []])
  })

  test('can be retried at the failed node with a new visit only if they have failed', async () => {
    const id = await workflow([failing, end])
    const run = await started(id, { data: { when: 'soon' } })
    assert.equal((await read(id, run)).status, 'failed')
    const retry = () => call('POST', `${PATH}/${id}/runs/${run}/retry`)
    const { status, body } = await retry()
    assert.deepEqual([status, body.status], [200, 'running'])
    assert.equal((await retry()).status, 409)
    await stage.work()
    const again = await read(id, run)
    assert.deepEqual(
      again.trace.map(({ node, visit, outcome }: Record<string, unknown>) => [node, visit, outcome]),
      [
        ['f', 1, 'failed'],
        ['f', 2, 'failed'],
      ],
    )
    const { runs, nodes } = await statistics(id)
    assert.deepEqual([runs.started, runs.failed, runs.open, nodes[0].entered, nodes[0].current], [1, 1, 0, 2, 0])
  })

  test('require the right permissions, and ids of another account or workflow return 404', async () => {
    const [id, strange] = [await workflow(), await workflow()]
    const run = await started(id)
    const [reader, sender] = [await makeKey(own.account, ['read']), await makeKey(own.account, ['send'])]
    const status = async (method: string, path: string, key: string) =>
      (await call(method, `${PATH}/${path}`, { key })).status
    for (const path of ['runs', `runs/${run}`, 'statistics', 'events']) {
      assert.equal(await status('GET', `${id}/${path}`, reader), 200, path)
      assert.equal(await status('GET', `${id}/${path}`, sender), 403, path)
      assert.equal(await status('GET', `${id}/${path}`, other.key), 404, path)
    }
    assert.equal(await status('GET', `${strange}/runs/${run}`, reader), 404)
    assert.equal(await status('GET', `${id}/runs/none`, reader), 404)
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/retry'],
    ] as const) {
      assert.equal(await status(method, `${id}/runs/${run}${path}`, reader), 403)
      assert.equal(await status(method, `${id}/runs/${run}${path}`, other.key), 404)
      assert.equal(await status(method, `${strange}/runs/${run}${path}`, sender), 404)
    }
  })

  test('are deleted 90 days after their end, and versions 90 days after their last run', async () => {
    const id = await workflow()
    const run = await started(id)
    clock.advance(1)
    const open = await started(id)
    await call('DELETE', `${PATH}/${id}/runs/${run}`)
    await call('PUT', `${PATH}/${id}/nodes`, { body: [{ ...sleep, next: null }] })
    const versions = async () => (await call('GET', `${PATH}/${id}/versions`)).body.length
    clock.advance(89 * DAY)
    await purgeWorkflowRuns(db, clock.now(), 90)
    assert.deepEqual(await list(id), [run, open])
    clock.advance(2 * DAY)
    await purgeWorkflowRuns(db, clock.now(), 90)
    await purgeWorkflowVersions(db, clock.now())
    assert.deepEqual([await list(id), await versions()], [[open], 2])
    await stage.work()
    await purgeWorkflowVersions(db, clock.now())
    assert.equal(await versions(), 2)
    clock.advance(91 * DAY)
    await purgeWorkflowVersions(db, clock.now())
    assert.equal(await versions(), 1)
  })
})

suite('workflow runs across versions', () => {
  const change = (id: number) =>
    call('PUT', `${PATH}/${id}/nodes`, { body: [sleep, { ...end, settings: { outcome: 'new' } }] })

  test('a run ends on the version it started on, and new runs use the next version', async () => {
    const id = await workflow()
    const [old] = [await started(id)]
    assert.equal((await change(id)).status, 200)
    const fresh = await started(id)
    clock.advance(HOUR)
    await stage.work()
    const [one, two] = [await read(id, old), await read(id, fresh)]
    assert.deepEqual([one.version, one.outcome, two.version, two.outcome], [1, 'old', 2, 'new'])
  })

  test('with atWaits, a waiting run keeps its deadline and continues on the new version if that has the node', async () => {
    const id = await workflow([sleep, end], { migration: 'atWaits' })
    const run = await started(id)
    const longer = { ...sleep, settings: { period: { unit: 'DAY', value: 9 } } }
    await call('PUT', `${PATH}/${id}/nodes`, { body: [longer, { ...end, settings: { outcome: 'new' } }] })
    clock.advance(HOUR)
    await stage.work()
    const one = await read(id, run)
    assert.deepEqual([one.status, one.version, one.outcome], ['completed', 2, 'new'])
    const { runs } = await statistics(id, '?version=2')
    assert.deepEqual([runs.open, runs.completed], [0, 1])
    const { nodes } = await statistics(id, '?version=1')
    assert.equal(nodes[0].current, 0)
    const other_ = await workflow([sleep, end], { migration: 'atWaits' })
    const stays = await started(other_)
    await call('PUT', `${PATH}/${other_}/nodes`, { body: [{ ...end, default: true, settings: { outcome: 'new' } }] })
    clock.advance(HOUR)
    await stage.work()
    assert.deepEqual([(await read(other_, stays)).version, (await read(other_, stays)).outcome], [1, 'old'])
  })
})

suite('workflow statistics', () => {
  test('are exact before and after counts are aggregated, for waiting, paused and ended runs', async () => {
    const id = await workflow()
    await started(id)
    const run = await started(id)
    const expected = { started: 2, open: 2, running: 0, waiting: 2, paused: 0 }
    const none = { completed: 0, failed: 0, killed: 0, expired: 0, capped: 0 }
    assert.deepEqual((await statistics(id)).runs, { ...expected, ...none })
    await foldWorkflowCounts(db)
    assert.deepEqual((await statistics(id)).runs, { ...expected, ...none })
    await call('DELETE', `${PATH}/${id}/activation`)
    assert.deepEqual((await statistics(id)).runs, { ...expected, ...none, waiting: 0, paused: 2 })
    await call('POST', `${PATH}/${id}/activation`)
    await call('DELETE', `${PATH}/${id}/runs/${run}`)
    const hour = new Date(clock.now()).toISOString()
    clock.advance(HOUR)
    await stage.work()
    const { runs, nodes } = await statistics(id)
    assert.deepEqual(runs, { ...expected, ...none, open: 0, waiting: 0, completed: 1, killed: 1 })
    const counts = { failed: 0, retried: 0, capped: 0 }
    assert.deepEqual(nodes, [
      { id: 's', type: 'sleep', entered: 2, left: 2, current: 0, ...counts, outputs: { end: 1 } },
      { id: 'end', type: 'terminal', entered: 1, left: 1, current: 0, ...counts, outputs: {} },
    ])
    assert.equal((await statistics(id, `?end=${hour}`)).runs.completed, 0)
    assert.equal((await statistics(id, `?start=${new Date(clock.now()).toISOString()}`)).runs.started, 0)
  })
})

suite('workflow queue', () => {
  test('a poll over many waiting runs reads no more rows than an index probe', async () => {
    await sql`
      with r as (
        insert into workflow_runs (account, id, workflow, version, status, node, phase, start_type, stamp, stamp_time, thread, set, mark_at,
          expires_at, created_at, updated_at)
        select ${own.account}, uuidv7(), 1, 1, 'waiting', 's', 'wait', 'execution', uuidv7(), now(), uuidv7(), uuidv7(), now(),
          now() + interval '9 years', now(), now() from generate_series(1, 20000)
        returning account, id)
      insert into workflow_timers (account, run, due) select account, id, now() + interval '5 years' from r`.execute(db)
    await sql`analyze workflow_timers`.execute(db)
    const { answer, inOrder, byIndex } = await db
      .transaction()
      .execute((tx) =>
        rowsRead(tx, 'workflow_timers', () =>
          claimRuns(tx, 'ffffffff-0000-4000-8000-000000000000', { limit: 500, now: Date.now() }),
        ),
      )
    assert.deepEqual(answer, [])
    assert.ok(inOrder + byIndex < 20, `${inOrder + byIndex} rows were read`)
  })

  test('a round waiting for a lock does not block runs that become due meanwhile', async () => {
    const { status, body } = await call('POST', '/targets', { body: { Email: 'locked@shop.example' } })
    assert.equal(status, 200)
    const { body: fields } = await call('GET', '/fields')
    const written = { [fields[0].id]: { type: 'literal', value: 'moved@shop.example' } }
    const update = { id: 'w', type: 'updateTarget', default: true, settings: { fields: written }, next: 'end' }
    const held = await workflow([update, end])
    const free = await workflow([{ ...end, default: true }])
    const first = await begin(held, { receiver: { type: 'id', value: body.id } })
    const tasks = createWorkflowTasks(context)
    const stopping = new AbortController()
    const client = await context.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from contacts where id = $1 for update', [parseContactId(body.id)])
      const working = tasks.work()
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        return rows.length > 0
      })
      const second = await begin(free)
      await tasks.help(stopping.signal)
      assert.equal((await read(free, second)).status, 'completed')
      assert.equal((await read(held, first)).status, 'running')
      await client.query('rollback')
      await working
      assert.equal((await read(held, first)).status, 'completed')
      // Nothing is on its way: it leaves the polling to the other.
      const third = await begin(free)
      const helping = tasks.help(stopping.signal)
      assert.equal((await read(free, third)).status, 'running')
      // The next round ends its wait.
      await tasks.work()
      await helping
      assert.equal((await read(free, third)).status, 'completed')
      const waiting = tasks.help(stopping.signal)
      stopping.abort()
      await waiting
    } finally {
      client.release()
      await tasks.stop()
    }
  })
})
