import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const { call, clock } = harness
const { db } = harness.context
const stage = workflowStage(harness)

const publish = { id: 'told', type: 'publish', event: { type: 'literal', value: 'told' }, settings: {}, next: 'end' }
const end = { id: 'end', type: 'terminal', settings: {} }
const rest = {
  id: 'rest',
  type: 'sleep',
  default: true,
  settings: { period: { unit: 'HOUR', value: 24 } },
  next: 'told',
}
const note = {
  id: 'note',
  type: 'switch',
  settings: { value: { type: 'path', value: 'contact.unicity' }, cases: [{ value: '', next: 'end' }], default: 'rest' },
}
const nodes = [{ ...rest, default: false }, { ...note, default: true }, publish, end]

let made = 0
async function contact(): Promise<string> {
  const { body } = await call('PUT', '/targets', { body: { Email: `person${++made}@shop.example` } })
  return body.id
}

const personal = {
  data: { secret: 'd' },
  state: { secret: 's' },
  event: { secret: 'e' },
  variables: [{ key: 'v', value: 'secret' }],
}

async function start(workflow: number, receivers: string[], more: object = personal): Promise<string[]> {
  const body = receivers.map((value) => ({ receiver: { type: 'id', value }, ...more }))
  const answer = await call('POST', `/scripting/workflows/${workflow}/executions`, { body })
  assert.equal(answer.status, 200)
  return answer.body.map(({ id }: { id: string }) => id)
}

async function count(of: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::integer as n from ${of}`.execute(db)
  return rows[0]!.n
}
const told = () => count(sql`notices where type = 'custom'`)
/** Everything that the tables of runs hold of a run, as one text. */
async function keptOf(run: string): Promise<string> {
  const { rows } = await sql<{ all: string }>`
    select concat(
      (select to_jsonb(r)::text from workflow_runs r where id = ${run}),
      (select string_agg(to_jsonb(t)::text, '') from workflow_traces t where run = ${run}),
      (select string_agg(to_jsonb(w)::text, '') from workflow_waits w where run = ${run}),
      (select string_agg(to_jsonb(t)::text, '') from workflow_timers t where run = ${run})) as all`.execute(db)
  return rows[0]!.all
}

const ways: Record<string, (id: string) => Promise<{ status: number }>> = {
  'DELETE of the contact': (id) => call('DELETE', `/targets/${id}`),
  'DELETE with If-Match': async (id) => {
    const { headers } = await call('GET', `/targets/${id}`)
    return call('DELETE', `/targets/${id}`, { headers: { 'if-match': String(headers['etag']) } })
  },
  erasure: (id) => call('DELETE', `/targets/${id}?erase=true`),
  'DELETE of a selection': (id) => call('DELETE', '/targets', { body: { type: 'id', value: [id] } }),
  'erasure of a selection': (id) => call('DELETE', '/targets?erase=true', { body: { type: 'id', value: [id] } }),
}

describe('workflow runs of deleted contacts', () => {
  for (const [name, remove] of Object.entries(ways)) {
    test(`${name} ends their waiting runs, erases the data of those runs and stops any further effect`, async () => {
      const workflow = await stage.activate({ nodes })
      const [gone, other] = [await contact(), await contact()]
      const [run, stays] = await start(workflow, [gone, other])
      await stage.work()
      assert.equal((await stage.run(run!))['status'], 'waiting')
      assert.match(await keptOf(run!), /secret/)
      assert.equal((await remove(gone)).status, 204)
      const { status, reason, contact: of, data, state, variables, event, trace } = await stage.run(run!)
      assert.deepEqual({ status, reason, of }, { status: 'killed', reason: 'contact deleted', of: null })
      assert.deepEqual([data, state, variables, event], [{}, {}, {}, null])
      assert.deepEqual(
        trace.map(({ node }) => node),
        ['note'],
      )
      assert.doesNotMatch(await keptOf(run!), /secret|shop\.example/)
      assert.equal(await count(sql`workflow_timers where run = ${run}`), 0)
      assert.equal(await count(sql`workflow_entries where workflow = ${workflow} and open > 0`), 1)
      const before = await told()
      clock.advance(24 * 3_600_000)
      await stage.work()
      assert.equal(await told(), before + 1)
      assert.equal((await stage.run(run!))['status'], 'killed')
      assert.equal((await stage.run(stays!))['status'], 'completed')
    })
  }

  test('runs that have already ended are emptied as well, including their error details', async () => {
    const bad = { type: 'path', value: 'data.secret' }
    const workflow = await stage.activate({
      nodes: [{ id: 'write', type: 'updateTarget', default: true, settings: { fields: { Email: bad } } }],
    })
    const gone = await contact()
    const [run] = await start(workflow, [gone], { data: { secret: 'no secret address' } })
    await stage.work()
    assert.equal((await stage.run(run!))['status'], 'failed')
    assert.equal((await call('DELETE', `/targets/${gone}`)).status, 204)
    const { status, reason, trace } = await stage.run(run!)
    assert.deepEqual({ status, reason }, { status: 'failed', reason: 'invalid value' })
    assert.deepEqual(
      trace.map(({ node, outcome }) => [node, outcome]),
      [['write', 'failed']],
    )
    assert.doesNotMatch(await keptOf(run!), /secret/)
  })

  test('erasure deletes the entry keys that identify the contact', async () => {
    const workflow = await stage.activate({ nodes, settings: { entryKey: { type: 'path', value: 'contact.unicity' } } })
    const gone = await contact()
    await start(workflow, [gone])
    assert.equal(await count(sql`workflow_entries where workflow = ${workflow}`), 1)
    await call('DELETE', `/targets/${gone}?erase=true`)
    assert.equal(await count(sql`workflow_entries where workflow = ${workflow}`), 0)
  })

  test('no run stays open when contacts are deleted while their runs start and execute', async () => {
    const workflow = await stage.activate({
      nodes: [{ ...publish, default: true, next: 'rest' }, { ...rest, default: false, next: 'end' }, end],
      settings: { concurrency: 100 },
    })
    const contacts = await Promise.all(Array.from({ length: 24 }, contact))
    await start(workflow, contacts)
    const starting = Promise.all(Array.from({ length: 3 }, () => start(workflow, contacts)))
    const deleting = Promise.all(contacts.slice(0, 20).map((id) => call('DELETE', `/targets/${id}`)))
    const working = stage.work()
    for (const { status } of await deleting) assert.equal(status, 204)
    await Promise.all([starting, working])
    await stage.work()
    const ids = contacts.slice(0, 20).map((id) => parseContactId(id)!)
    assert.equal(await count(sql`workflow_runs where contact = any(${ids}::bigint[])`), 0)
    assert.equal(
      await count(sql`workflow_runs where workflow = ${workflow} and contact is null and ended_at is null`),
      0,
    )
    assert.equal(await count(sql`workflow_runs where workflow = ${workflow} and ended_at is null`), 16)
    assert.equal(await count(sql`workflow_entries where workflow = ${workflow} and open > 0 and open <> 4`), 0)
  })

  test('the export of a contact includes its runs', async () => {
    const workflow = await stage.activate({ nodes })
    const id = await contact()
    const [run] = await start(workflow, [id])
    await stage.work()
    const { body } = await call('GET', `/targets/${id}/export`)
    assert.equal(body.runs.length, 1)
    const [shown] = body.runs
    assert.deepEqual([shown.id, shown.workflow, shown.status, shown.node], [run, workflow, 'waiting', 'rest'])
    assert.deepEqual([shown.data, shown.state, shown.event], [personal.data, personal.state, personal.event])
    assert.deepEqual(shown.variables, { v: 'secret' })
    assert.equal(shown.trace[0].node, 'note')
    assert.equal((await call('GET', `/targets/${await contact()}/export`)).body.runs.length, 0)
    assert.equal((await call('GET', `/targets/${id}/export`, { key: harness.other.key })).status, 404)
  })

  test("deletion removes the contact's experiment visits", async () => {
    const branches = [
      { id: 'a', next: 'rest' },
      { id: 'b', next: 'rest' },
    ]
    const metric = { type: 'custom', names: ['bought'] }
    const tried = { id: 'try', type: 'experiment', default: true, settings: { branches, metric } }
    const workflow = await stage.activate({ nodes: [tried, { ...rest, default: false }, publish, end] })
    const person = await contact()
    await start(workflow, [person], {})
    await stage.work()
    const visits = () => count(sql`workflow_experiment_visits where contact = ${parseContactId(person)!}`)
    assert.equal(await visits(), 1)
    assert.equal((await call('DELETE', `/targets/${person}`)).status, 204)
    assert.equal(await visits(), 0)
    assert.equal(await count(sql`workflow_experiment_visits`), 1)
  })
})
