import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestDatabase } from '../../support/database/database.ts'
import { makeService, type PreparedService, prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

type Prepared = PreparedService & { database: TestDatabase }

/** A static segment of so many contacts. */
async function crowd({ call, database }: Prepared, count: number): Promise<number> {
  const { id: segment } = await call('POST', '/segments', { type: 'static', name: 'Crowd' })
  const [{ id: email }] = await call('GET', '/fields')
  await database.pool.query(
    `with made as (
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
      select s.account, jsonb_build_object($1::text, address), address, address, decode(md5(address), 'hex'), now(), now()
      from segments s, generate_series(1, $2::integer) n, lateral (select 'crowd-' || n || '@test.example' as address) a
      where s.id = $3 returning account, id)
    insert into segment_members (account, segment, contact) select account, $3, id from made`,
    [String(email), count, segment],
  )
  return segment
}

/** An active workflow whose task starts a run for each contact of a segment; gives the path of the task. */
const taskOver = (service: Prepared, segment: number, nodes: readonly object[]): Promise<string> =>
  taskOf(service, { type: 'segment', value: { id: segment } }, nodes)

/** An active workflow whose task has such a provider; gives the path of the task. */
async function taskOf({ call }: Prepared, provider: object, nodes: readonly object[]): Promise<string> {
  const tasks = [{ id: 'task', handler: 'first', provider }]
  const { id } = await call('POST', '/scripting/workflows', { name: 'Killed', nodes, tasks })
  await call('POST', `/scripting/workflows/${id}/activation`)
  return `/scripting/workflows/${id}/tasks/task`
}

const end = { id: 'end', type: 'terminal', settings: {} }

/** How many runs there are, and of how many contacts. */
async function started({ database }: Prepared): Promise<{ runs: number; contacts: number }> {
  const { rows } = await database.pool.query(
    'select count(*)::integer as runs, count(distinct contact)::integer as contacts from workflow_runs',
  )
  return rows[0]
}

suite('workflow tasks whose process is killed', () => {
  test('a task over 10,000 contacts killed halfway gives each contact one run', async (t) => {
    const service = await prepareService(t)
    await service.start()
    const task = await taskOver(service, await crowd(service, 10_000), [{ ...end, id: 'first' }])
    const asked = service.call('POST', `${task}/execution`).catch(() => undefined)
    await eventually(async () => (await started(service)).runs >= 4000, t.signal)
    await service.kill()
    await asked
    const { runs } = await started(service)
    assert.ok(runs < 10_000, `${runs} runs at the kill`)
    // The lease of the process that is gone ends now.
    await service.database.pool.query('update workflow_firings set lease_until = now()')
    // Two processes go on.
    const second = await makeService(
      { STENTOR_DATABASE_URL: service.database.url, STENTOR_DATA_DIR: service.dataDir },
      t.signal,
    )
    await service.start()
    try {
      await second.start()
      await eventually(async () => (await started(service)).runs >= 10_000, t.signal)
      const firing = 'select state, rows, started from workflow_firings'
      await eventually(async () => (await service.database.pool.query(firing)).rows[0].state === 'completed', t.signal)
      const { rows } = await service.database.pool.query(firing)
      assert.deepEqual(rows, [{ state: 'completed', rows: 10_000, started: 10_000 }])
      assert.deepEqual(await started(service), { runs: 10_000, contacts: 10_000 })
    } finally {
      await second.kill()
    }
  })

  test('a pipeline of 10,001 rows killed while reading and halfway starts 10,001 runs', async (t) => {
    const service = await prepareService(t)
    await service.start()
    const path = (value: string) => ({ type: 'path', value })
    const { id } = await service.call('POST', '/scripting/compilables', {
      name: 'Many',
      value: {
        type: 'pipeline',
        source: { type: 'inline', rows: [{ list: Array.from({ length: 101 }, (_, n) => n) }] },
        cursors: [
          { type: 'expand', value: path('row.list'), into: 'a' },
          { type: 'expand', value: path('row.list'), into: 'b' },
          { type: 'limit', count: 10_001 },
        ],
      },
    })
    const task = await taskOf(service, { type: 'compilable', value: { id, receiver: null } }, [{ ...end, id: 'first' }])
    const { pool } = service.database
    const kill = async (asked: Promise<unknown>): Promise<void> => {
      await service.kill()
      await asked
      await pool.query('update workflow_firings set lease_until = now()')
    }
    const asked = service.call('POST', `${task}/execution`).catch(() => undefined)
    await eventually(async () => (await pool.query('select from workflow_firings')).rows.length > 0, t.signal)
    await kill(asked)
    await service.start()
    await eventually(async () => (await started(service)).runs >= 3000, t.signal)
    await kill(Promise.resolve())
    const { runs } = await started(service)
    assert.ok(runs < 10_001, `${runs} runs at the kill`)
    await service.start()
    const firing = 'select state, rows, started from workflow_firings'
    await eventually(async () => (await pool.query(firing)).rows[0].state === 'completed', t.signal)
    assert.deepEqual((await pool.query(firing)).rows, [{ state: 'completed', rows: 10_001, started: 10_001 }])
    assert.equal((await started(service)).runs, 10_001)
  })

  test('1,000 timers due while every process is down each advance their run once', async (t) => {
    const service = await prepareService(t)
    await service.start()
    const sleep = { id: 'first', type: 'sleep', settings: { period: { unit: 'HOUR', value: 1 } }, next: 'end' }
    const task = await taskOver(service, await crowd(service, 1000), [sleep, end])
    const { pool } = service.database
    await service.call('POST', `${task}/execution`)
    const waiting = "select from workflow_runs where status = 'waiting'"
    await eventually(async () => (await pool.query(waiting)).rowCount === 1000, t.signal)
    await service.kill()
    // An hour goes by.
    await pool.query("update workflow_timers set due = due - interval '1 hour'")
    await pool.query("update workflow_runs set wake = wake - interval '1 hour'")
    await service.start()
    await eventually(
      async () => (await pool.query('select from workflow_runs where ended_at is null')).rowCount === 0,
      t.signal,
    )
    const { rows } = await pool.query(
      `select status, steps, count(*)::integer as n, count(distinct contact)::integer as contacts from workflow_runs group by 1, 2`,
    )
    assert.deepEqual(rows, [{ status: 'completed', steps: 2, n: 1000, contacts: 1000 }])
    const { rows: traced } = await pool.query(
      `select e ->> 'node' as node, count(*)::integer as n, count(distinct run)::integer as runs
       from workflow_traces t, jsonb_array_elements(t.entries) e group by 1 order by 1`,
    )
    assert.deepEqual(traced, [
      { node: 'end', n: 1000, runs: 1000 },
      { node: 'first', n: 1000, runs: 1000 },
    ])
  })
})
