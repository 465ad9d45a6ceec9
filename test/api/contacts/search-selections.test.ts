import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { runJob } from '../../../src/features/jobs/run.ts'
import { createJobHandlers } from '../../../src/service/job-handlers.ts'
import { startStage } from '../../support/stages/stage.ts'

const stage = await startStage()
const { call, context, other } = stage
const spent: number = (await call('POST', '/fields', { body: { type: 'numeric', name: 'Spent' } })).body.id
const [email] = (await call('GET', '/fields')).body
const made: { contact: { id: string } }[] = (
  await call('PUT', '/targets', {
    body: Array.from({ length: 6 }, (_, index) => ({
      Email: `${index < 4 ? 'ann' : 'omar'}${index}@orchard.example`,
      Spent: index,
    })),
  })
).body
const ids = made.map(({ contact }) => contact.id)

const atLeast = (value: number) => ({
  all: [{ type: 'field', field: spent, operator: 'greaterOrEqual', value }],
})
const change = (value: object, to: number) => ({ body: { type: 'search', value, fields: { Spent: to } } })

async function spentOf(): Promise<number[]> {
  return (await call('GET', '/targets')).body.map(({ fields }: { fields: Record<string, number> }) => fields[spent])
}

suite('a selection by a search', () => {
  test('changes the contacts that match criteria and query, except those excluded', async () => {
    const answer = await call('PUT', '/targets', change({ criteria: atLeast(1), query: 'ann', except: [ids[2]] }, 50))
    assert.deepEqual([answer.status, answer.body], [200, { matched: 2, updated: 2, unchanged: 0, unknown: 0 }])
    assert.deepEqual(await spentOf(), [0, 50, 2, 50, 4, 5])
  })

  test('becomes a job that reports its progress and result', async () => {
    const headers = { prefer: 'respond-async' }
    const asked = await call('PUT', '/targets', { ...change({ criteria: { all: [] } }, 7), headers })
    assert.equal(asked.status, 202)
    await runJob(context, createJobHandlers(context), { job: asked.body.id })
    const job = (await call('GET', `/jobs/${asked.body.id}`)).body
    assert.deepEqual(job.result, { matched: 6, updated: 6, unchanged: 0, unknown: 0 })
    assert.deepEqual(job.progress, { done: 6, total: 6 })
    assert.deepEqual(await spentOf(), [7, 7, 7, 7, 7, 7])
  })

  test('is recorded in the audit log by its criteria, without compared addresses', async () => {
    const criteria = { all: [{ type: 'field', field: email.id, operator: 'startsWith', value: 'omar' }] }
    assert.equal((await call('PUT', '/targets', change({ criteria }, 8))).body.updated, 2)
    const [entry] = (await call('GET', '/audit?limit=1')).body
    const said = JSON.stringify(entry)
    assert.ok(said.includes('startsWith'), said)
    assert.ok(!said.includes('omar'), said)
  })

  test('is 400 and changes nothing with missing or invalid criteria or a unicity field', async () => {
    const before = await spentOf()
    for (const [value, pointer] of [
      [{}, '/value'],
      [{ query: 'ann' }, '/value'],
      [{ criteria: { all: [{ type: 'field', field: 999, operator: 'empty' }] } }, '/value/criteria/all/0/field'],
      [{ criteria: { all: [] }, except: 'ABC' }, '/value'],
      [{ criteria: { all: [] }, except: ['12'] }, '/value'],
    ] as const)
      for (const headers of [{}, { prefer: 'respond-async' }] as Record<string, string>[]) {
        const { status, body } = await call('PUT', '/targets', { ...change(value, 1), headers })
        assert.deepEqual([status, body.errors?.[0].pointer], [400, pointer])
      }
    const unicity = { type: 'search', value: { criteria: { all: [] } }, fields: { Email: 'x@orchard.example' } }
    assert.equal((await call('PUT', '/targets', { body: unicity })).status, 400)
    assert.deepEqual(await spentOf(), before)
  })

  test('finds nobody of another account, and also deletes', async () => {
    const selection = { type: 'search', value: { criteria: { all: [] }, query: 'omar' } }
    assert.equal((await call('DELETE', '/targets', { body: selection, key: other.key })).status, 404)
    assert.equal((await call('DELETE', '/targets', { body: selection })).status, 204)
    assert.equal((await spentOf()).length, 4)
    assert.equal((await call('DELETE', '/targets', { body: { type: 'search', value: { query: 'ann' } } })).status, 400)
    assert.equal((await spentOf()).length, 4)
  })
})
