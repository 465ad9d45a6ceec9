import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { requeueUnfinishedJobs } from '../../../src/features/jobs/jobs.ts'
import { type JobStepsByType, runJob } from '../../../src/features/jobs/run.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { createJobHandlers } from '../../../src/service/job-handlers.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { type Answer, startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { app, call, clock, context, makeAccount, makeKey, other } = await startHarness()
const bodies = createJobHandlers(context)
const DAY = 24 * 3600 * 1000
const respondAsync = { prefer: 'respond-async' }
const listed = { accept: 'application/vnd.np6.cm.v1', ...respondAsync }

let accounts = 0

async function newAccount() {
  const { account, key } = await makeAccount(`J${String(++accounts).padStart(3, '0')}001`)
  const ask = (method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    call(method, url, { body, headers, key })
  const spent: number = (await ask('POST', '/fields', { type: 'numeric', name: 'Spent' })).body.id
  const email = (await ask('GET', '/fields')).body[0].id
  const segment: number = (await ask('POST', '/segments', { type: 'static', name: 'All' })).body.id
  /** Makes contacts that are all in the segment. */
  const fill = async (count: number) => {
    await context.pool.query(
      `with made as (
        insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
        select $1, jsonb_build_object($2::text, address), address, address, decode(md5(address), 'hex'), now(), now()
        from generate_series(1, $3) n, lateral (select n || '@example.org' as address) a returning id)
      insert into segment_members select $1, $4, id from made`,
      [account, String(email), count, segment],
    )
  }
  const read = async (id: string) => (await ask('GET', `/jobs/${id}`)).body
  /** How many contacts have spent so much. */
  const spenders = async (amount: number) => {
    const { rows } = await context.pool.query(
      'select count(*)::integer as n from contacts where account = $1 and fields ->> $2 = $3',
      [account, String(spent), String(amount)],
    )
    return rows[0].n
  }
  const count = async () => (await ask('GET', '/targets/count')).body.targetsCount
  return { account, key, ask, segment, fill, read, spenders, count, spent }
}

/** Works on a job as the queue does, once. */
const work = (job: string, own: JobStepsByType = bodies, signal?: AbortSignal) => runJob(context, own, { job }, signal)

/** Bodies that do something after each step, before it is committed. */
function interrupted(after: (step: number) => void): JobStepsByType {
  let steps = 0
  const wrapped = Object.entries(bodies).map(([type, body]) => {
    const interruptedBody: typeof body = async (tx, job) => {
      const step = await body(tx, job)
      after(++steps)
      return step
    }
    return [type, interruptedBody] as const
  })
  return Object.fromEntries(wrapped)
}

suite('Prefer: respond-async', () => {
  test('a change of a selection is answered 202 with a job whose result is the usual answer', async () => {
    const { ask, segment, fill, read, spenders } = await newAccount()
    await fill(3)
    const answer = await ask('PUT', '/targets', { type: 'segment', value: segment, fields: { Spent: 7 } }, respondAsync)
    assert.equal(answer.status, 202, answer.text)
    const { id } = answer.body
    assert.equal(answer.headers['location'], `/jobs/${id}`)
    assert.equal(answer.headers['preference-applied'], 'respond-async')
    assert.deepEqual(await read(id), answer.body)
    assert.deepEqual(answer.body, {
      id,
      type: 'targets.update',
      state: 'queued',
      creationDate: new Date(clock.now()).toISOString(),
      startDate: null,
      endDate: null,
      progress: { done: 0, total: null },
      result: null,
      error: null,
    })
    await runDueJobs(context.pool, context.log, {
      'jobs.run': (payload, signal) => runJob(context, bodies, payload, signal),
    })
    const done = await read(id.toUpperCase())
    assert.equal(done.state, 'done')
    assert.deepEqual(done.progress, { done: 3, total: 3 })
    assert.deepEqual(done.result, { matched: 3, updated: 3, unchanged: 0, unknown: 0 })
    assert.notEqual(done.endDate, null)
    assert.equal(await spenders(7), 3)
  })

  test('a deletion job ends with null, or with the list requested', async () => {
    const { ask, segment, fill, read, count } = await newAccount()
    await fill(3)
    const ids = (await ask('GET', '/targets')).body.map((contact: { id: string }) => contact.id)
    const some = { type: 'id', value: [ids[1], 'ZZZZZZZZ'] }
    const first = await ask('DELETE', '/targets', some, listed)
    assert.equal(first.status, 202)
    await work(first.body.id)
    assert.deepEqual((await read(first.body.id)).result, [{ id: ids[1], unicity: ['2@example.org'] }])
    const rest = await ask('DELETE', '/targets', { type: 'segment', value: segment }, respondAsync)
    await work(rest.body.id)
    const { state, result, progress } = await read(rest.body.id)
    assert.deepEqual({ state, result, progress }, { state: 'done', result: null, progress: { done: 2, total: 2 } })
    assert.equal(await count(), 0)
  })

  test('an invalid request is refused at once, and an empty selection fails the job', async () => {
    const { ask, read } = await newAccount()
    const change = (body: object) => ask('PUT', '/targets', body, respondAsync)
    assert.equal((await change({ type: 'segment', value: 999_999, fields: { Spent: 1 } })).status, 404)
    assert.equal((await change({ type: 'id', value: [], fields: { Spent: 'many' } })).status, 400)
    assert.equal((await change({ type: 'id', value: [], fields: { Email: 'a@example.org' } })).status, 400)
    assert.equal((await ask('DELETE', '/targets', { type: 'segment', value: 999_999 }, respondAsync)).status, 404)
    assert.equal((await ask('DELETE', '/targets', { type: 'all' }, respondAsync)).status, 400)
    const { id } = (await ask('DELETE', '/targets', { type: 'id', value: ['ZZZZZZZZ'] }, respondAsync)).body
    await work(id)
    const { state, error, result } = await read(id)
    assert.equal(state, 'failed')
    assert.deepEqual(error, { type: 'not-found', detail: 'The selection contains no contacts.' })
    assert.equal(result, null)
  })

  test('a finished job retains nothing of its request', async () => {
    const { ask, segment, fill } = await newAccount()
    await fill(2)
    const { id } = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, listed)).body
    await work(id)
    const { rows } = await context.pool.query(
      'select payload, position, (select count(*)::integer from job_contacts where job = $1) as contacts from jobs where id = $1',
      [id],
    )
    assert.deepEqual(rows, [{ payload: null, position: null, contacts: 0 }])
  })
})

suite('a job', () => {
  test('continues where it stopped when its process stops between two batches', async () => {
    const { ask, segment, fill, read, spenders } = await newAccount()
    await fill(12_000)
    const body = { type: 'segment', value: segment, fields: { Spent: 1 } }
    const { id } = (await ask('PUT', '/targets', body, respondAsync)).body
    const stopping = new AbortController()
    await work(
      id,
      interrupted((step) => step === 2 && stopping.abort()),
      stopping.signal,
    )
    const stopped = await read(id)
    assert.equal(stopped.state, 'running')
    assert.deepEqual(stopped.progress, { done: 5000, total: 12_000 })
    assert.equal(await spenders(1), 5000)
    await work(id)
    const done = await read(id)
    assert.deepEqual(done.result, { matched: 12_000, updated: 12_000, unchanged: 0, unknown: 0 })
    assert.equal(done.startDate, stopped.startDate)
  })

  test('repeats a batch exactly once when its process dies within it', async () => {
    const { ask, segment, fill, read, count } = await newAccount()
    await fill(6000)
    const { id } = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, listed)).body
    const dying = interrupted((step) => {
      if (step === 3) throw Object.assign(new Error('the server has gone away'), { code: '57P01' })
    })
    await assert.rejects(work(id, dying))
    assert.equal(await count(), 1000)
    assert.deepEqual((await read(id)).progress, { done: 5000, total: 6000 })
    await work(id)
    const { state, result } = await read(id)
    assert.equal(state, 'done')
    assert.equal(new Set(result.map((contact: { id: string }) => contact.id)).size, 6000)
    assert.equal(await count(), 0)
  })

  test('uses the members its segment has at the start', async () => {
    const { ask, segment, fill, read } = await newAccount()
    await fill(2)
    const body = { type: 'segment', value: segment, fields: { Spent: 1 } }
    const { id } = (await ask('PUT', '/targets', body, respondAsync)).body
    const stopping = new AbortController()
    await work(
      id,
      interrupted(() => stopping.abort()),
      stopping.signal,
    )
    await ask('DELETE', `/segments/${segment}/targets`)
    await work(id)
    assert.equal((await read(id)).result.matched, 2)
  })

  test('runs once, even if several workers take it at the same time', async () => {
    const { ask, segment, fill, read } = await newAccount()
    await fill(12_000)
    const { id } = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, listed)).body
    await Promise.all([work(id), work(id), work(id)])
    await work(id)
    const { state, result, progress } = await read(id)
    assert.equal(state, 'done')
    assert.equal(result.length, 12_000)
    assert.deepEqual(progress, { done: 12_000, total: 12_000 })
  })

  test('is not run again once it has ended', async () => {
    const { ask, segment, fill, read } = await newAccount()
    await fill(1)
    const { id } = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, respondAsync)).body
    await work(id)
    const done = await read(id)
    clock.advance(1000)
    await work(id)
    assert.deepEqual(await read(id), done)
  })

  test('is queued again until it has ended', async () => {
    const { ask, segment, fill, read } = await newAccount()
    await fill(1)
    const { id } = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, respondAsync)).body
    await context.pool.query('select graphile_worker.remove_job($1)', [`jobs.run ${id}`])
    await requeueUnfinishedJobs(context.db)
    await runDueJobs(context.pool, context.log, { 'jobs.run': (payload) => runJob(context, bodies, payload) })
    assert.equal((await read(id)).state, 'done')
  })

  test('fails after its batch fails five times, and earlier batches remain', async () => {
    const { ask, segment, fill, read, count } = await newAccount()
    await fill(6000)
    const { id } = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, respondAsync)).body
    await work(
      id,
      interrupted((step) => {
        if (step > 2) throw new Error('broken')
      }),
    )
    const { state, error } = await read(id)
    assert.equal(state, 'failed')
    assert.equal(error.type, 'batch-failed')
    assert.equal(await count(), 1000)
  })

  test('is 404 for other accounts and for malformed ids', async () => {
    const { account, ask, segment, fill } = await newAccount()
    await fill(1)
    const { id } = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, respondAsync)).body
    assert.equal((await call('GET', `/jobs/${id}`, { key: other.key })).status, 404)
    assert.equal((await ask('GET', '/jobs/7')).status, 404)
    assert.equal((await ask('GET', '/jobs/00000000-0000-7000-8000-000000000000')).status, 404)
    const key = await makeKey(account, ['write'])
    assert.equal((await call('GET', `/jobs/${id}`, { key })).status, 403)
  })

  test('is deleted 30 days after its end', async () => {
    const { ask, segment, fill } = await newAccount()
    await fill(1)
    const ended = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, respondAsync)).body.id
    await work(ended)
    const open = (await ask('DELETE', '/targets', { type: 'segment', value: segment }, respondAsync)).body.id
    const status = async (id: string) => (await ask('GET', `/jobs/${id}`)).status
    await purgeExpiredRows(context, 'forgetOldJobs', clock.now() + 29 * DAY)
    assert.equal(await status(ended), 200)
    await purgeExpiredRows(context, 'forgetOldJobs', clock.now() + 31 * DAY)
    assert.equal(await status(ended), 404)
    assert.equal(await status(open), 200)
  })
})

test('a lost connection does not stop the work on a selection', async () => {
  const { key, segment, fill, spenders } = await newAccount()
  await fill(12_000)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const change = request({
    host: '127.0.0.1',
    port,
    method: 'PUT',
    path: '/targets',
    headers: { 'x-key': key, 'content-type': 'application/json' },
  })
  change.on('error', () => undefined)
  change.end(JSON.stringify({ type: 'segment', value: segment, fields: { Spent: 1 } }))
  await eventually(async () => (await spenders(1)) > 0)
  change.destroy()
  await eventually(async () => (await spenders(1)) === 12_000)
})
