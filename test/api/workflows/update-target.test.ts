import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { replaceListenedTypes } from '../../../src/features/notices/listening.ts'
import { readNotices } from '../../../src/features/notices/reading.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const { call, own, other } = harness
const { db } = harness.context
const stage = workflowStage(harness)

const literal = (value: unknown) => ({ type: 'literal', value })
const path = (value: string) => ({ type: 'path', value })
const node = (settings: object) => ({ id: 'write', type: 'updateTarget', default: true, settings, next: 'end' })
const end = { id: 'end', type: 'terminal', settings: { outcome: 'written' } }

let made = 0
const address = () => `person${++made}@shop.example`
async function contact(more: object = {}, key = own.key): Promise<string> {
  const { body, status } = await call('PUT', '/targets', { body: { Email: address(), ...more }, key })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}
/** What the database has in a field; null for nothing. */
async function fieldOf(id: string, of: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`
    select fields -> ${of} as value from contacts where id = ${parseContactId(id)!}`.execute(db)
  return rows[0]!.value
}

async function field(name: string, more: object): Promise<number> {
  const { body, status } = await call('POST', '/fields', { body: { name, ...more } })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}

async function segment(more: object = { type: 'static' }, key = own.key): Promise<number> {
  const { body, status } = await call('POST', '/segments', { body: { name: `Segment ${++made}`, ...more }, key })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id
}
const members = async (id: number): Promise<string[]> => (await call('GET', `/segments/${id}/targets`)).body

/** Starts a run for each contact and performs them together. */
async function runs(workflow: number, items: { contact: string; data?: object }[]): Promise<string[]> {
  const { body } = await call('POST', `/scripting/workflows/${workflow}/executions`, {
    body: items.map((item) => ({ receiver: { type: 'id', value: item.contact }, data: item.data })),
  })
  await stage.work()
  return body.map(({ id }: { id: string }) => id)
}

const points = await field('Points', { type: 'numeric' })
const nick = await field('Nick', { type: 'textField' })

describe('updateTarget', () => {
  test('writes fields by id or name and memberships of static segments', async () => {
    const [joined, left] = [await segment(), await segment()]
    const workflow = await stage.activate({
      nodes: [
        node({
          fields: { [points]: path('data.points'), Nick: { type: 'template', value: 'N{{ data.points }}' } },
          segments: { add: [joined], remove: [left] },
        }),
        end,
      ],
    })
    const contacts = [await contact(), await contact()]
    for (const id of contacts) await call('PUT', `/targets/${id}/segments/${left}`, { body: {} })
    const ids = await runs(
      workflow,
      contacts.map((one, n) => ({ contact: one, data: { points: n + 1 } })),
    )
    for (const [n, id] of contacts.entries()) {
      assert.equal((await stage.run(ids[n]!))['outcome'], 'written')
      assert.equal(await fieldOf(id, String(points)), n + 1)
      assert.equal(await fieldOf(id, String(nick)), `N${n + 1}`)
    }
    assert.deepEqual((await members(joined)).sort(), contacts.toSorted())
    assert.deepEqual(await members(left), [])
  })

  test('a refused write permanently fails only its own run and writes nothing for it', async () => {
    const joined = await segment()
    const workflow = await stage.activate({
      nodes: [
        node({
          fields: { Email: path('data.email'), [points]: path('data.points') },
          segments: { add: [joined] },
          failure: { mode: 'continue' },
        }),
        end,
      ],
    })
    const taken = address()
    await contact({ Email: taken })
    const contacts = [await contact(), await contact(), await contact(), await contact()]
    const [fine, ...more] = [address(), address()]
    const ids = await runs(workflow, [
      { contact: contacts[0]!, data: { email: fine, points: 1 } },
      { contact: contacts[1]!, data: { email: taken, points: 2 } },
      { contact: contacts[2]!, data: { email: address(), points: 'many' } },
      { contact: contacts[3]!, data: { email: more[0], points: 4 } },
    ])
    const found = []
    for (const [n, id] of ids.entries()) {
      const { last, trace, status } = await stage.run(id)
      assert.equal(status, 'completed')
      const { error } = last as { error: { type: string } | null }
      found.push([trace[0]!.outcome, error?.type ?? null, await fieldOf(contacts[n]!, String(points))])
    }
    assert.deepEqual(found, [
      ['done', null, 1],
      ['failed', 'unicity-taken', null],
      ['failed', 'invalid value', null],
      ['done', null, 4],
    ])
    assert.deepEqual((await members(joined)).sort(), [contacts[0]!, contacts[3]!].sort())
    const { rows } = await sql<{ visits: object }>`select visits from workflow_runs where id = ${ids[1]}`.execute(db)
    assert.deepEqual(rows[0]!.visits, { write: 1, end: 1 })
  })

  test('runs of one contact all complete, and a later node reads what was written', async () => {
    const workflow = await stage.activate({
      nodes: [
        node({ fields: { [points]: path('data.points'), Nick: literal('2100-01-01T00:00:00Z') } }),
        {
          id: 'end',
          type: 'wait',
          settings: { event: { type: 'custom', names: ['x'] }, timeout: { until: path(`contact.fields.Nick`) } },
        },
      ],
      settings: { concurrency: 100 },
    })
    const id = await contact()
    const items = Array.from({ length: 5 }, (_, n) => ({ contact: id, data: { points: n } }))
    for (const run of await runs(workflow, items)) assert.equal((await stage.run(run))['status'], 'waiting')
    assert.ok([0, 1, 2, 3, 4].includes(Number(await fieldOf(id, String(points)))))
  })

  test('a run without a contact fails with "no receiver", and that of a deleted contact is killed', async () => {
    const workflow = await stage.activate({ nodes: [node({ fields: { [points]: literal(1) } }), end] })
    const { body } = await call('POST', `/scripting/workflows/${workflow}/execution`, { body: {} })
    await stage.work()
    const run = await stage.run(body.id)
    assert.equal(run['status'], 'failed')
    assert.match(String(run['reason']), /^no receiver/)
    const [gone, there] = [await contact(), await contact()]
    const executions = await call('POST', `/scripting/workflows/${workflow}/executions`, {
      body: [gone, there].map((value) => ({ receiver: { type: 'id', value } })),
    })
    assert.equal((await call('DELETE', `/targets/${gone}`)).status, 204)
    await stage.work()
    const [killed, other] = await Promise.all(executions.body.map(({ id }: { id: string }) => stage.run(id)))
    assert.deepEqual([killed.status, killed.reason, killed.contact], ['killed', 'contact deleted', null])
    assert.deepEqual([other.status, await fieldOf(there, String(points))], ['completed', 1])
  })

  test('segments that belong to another account, are dynamic or do not exist fail the run permanently', async () => {
    const foreign = await segment({ type: 'static' }, other.key)
    const dynamic = await segment({ type: 'dynamic' })
    const wrong = [
      [foreign, /^segment: /],
      [9_999_999, /^segment: /],
      [dynamic, /^segment-dynamic: /],
    ] as const
    for (const [id, reason] of wrong) {
      const workflow = await stage.activate({
        nodes: [node({ fields: { [points]: literal(5) }, segments: { add: [id] } }), end],
      })
      const one = await contact()
      const [run] = await runs(workflow, [{ contact: one }])
      assert.match(String((await stage.run(run!))['reason']), reason)
      assert.equal(await fieldOf(one, String(points)), null)
    }
    assert.deepEqual((await call('GET', `/segments/${foreign}/targets`, { key: other.key })).body, [])
  })

  test('change notices name the run that caused them', async () => {
    const joined = await segment()
    await replaceListenedTypes(db, own.account, 'webhook 1', ['target.updated', 'segment.entered', 'segment.left'])
    const workflow = await stage.activate({
      nodes: [node({ fields: { [points]: path('data.points') }, segments: { add: [joined] } }), end],
    })
    const contacts = [await contact(), await contact()]
    const ids = await runs(
      workflow,
      contacts.map((one, n) => ({ contact: one, data: { points: 70 + n } })),
    )
    const notices = await readNotices(db, own.account, undefined, 100)
    for (const [n, id] of ids.entries()) {
      const { stamp, thread, set } = await stage.run(id)
      const mine = notices.filter((one) => one.contact === contacts[n])
      assert.deepEqual(mine.map(({ type, data }) => [type, data]).toSorted(), [
        ['segment.entered', { segment: joined }],
        ['target.updated', { fields: [points] }],
      ])
      for (const one of mine) {
        assert.equal(one.depth, 1)
        assert.deepEqual([one.stamp?.['id'], one.stamp?.['thread'], one.stamp?.['set']], [stamp, thread, set])
      }
    }
    await call('PUT', `/targets/${contacts[0]}`, { body: { [points]: 1 } })
    const last = (await readNotices(db, own.account, undefined, 100)).at(-1)!
    assert.deepEqual([last.depth, last.stamp], [0, null])
  })
})
