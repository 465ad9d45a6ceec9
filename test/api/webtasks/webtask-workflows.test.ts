import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startWebtaskStage, WEBTASKS } from '../../support/stages/webtask-stage.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const stage = await startWebtaskStage()
const { call, host, seen, webtask } = stage
const workflows = workflowStage(stage)

const node = (settings: object) => ({ id: 's', type: 'script', default: true, next: 'end', settings })
const end = { id: 'end', type: 'terminal', settings: { outcome: 'ok' } }
const literal = (value: unknown) => ({ type: 'literal', value })

/** Runs a workflow once; gives the run. */
async function ran(workflow: number, data: Record<string, unknown> = {}) {
  const started = await workflows.start(workflow, { data })
  assert.equal(started.type, 'started')
  await workflows.work()
  return workflows.run((started as { id: string }).id)
}
const runsOf = async (id: number) => (await call('GET', `${WEBTASKS}/${id}/runs`)).body

suite('webtasks in workflows', () => {
  test("a node runs the webtask with the webtask's environment and the node's arguments", async () => {
    const id = await webtask(
      `export default async ({ arguments: given, data, environment, contact, public: sent }) => {
        const headers = { key: "[[secret:shop]]" }
        const answer = await http.fetch("http://${host}/points", { headers })
        log("asked")
        return { points: answer.json().value * given.factor, data, environment, contact, sent }
      }`,
      {
        scripting: {
          environment: {
            capabilities: ['http.fetch'],
            http: { allow: [`http://${host}`] },
            variables: { rate: 2 },
            secrets: { shop: 's3cret' },
          },
        },
      },
    )
    const workflow = await workflows.activate({
      scripting: { environment: { variables: { rate: 'of the workflow' } } },
      nodes: [node({ webtask: id, arguments: { factor: literal(10) }, into: 'points' }), end],
    })
    const run = await ran(workflow, { a: 1 })
    assert.deepEqual([run['status'], run['outcome']], ['completed', 'ok'])
    assert.deepEqual(run['variables'], {
      points: { points: 40, data: { a: 1 }, environment: { rate: 2 }, contact: null, sent: null },
    })
    const { headers } = seen.at(-1)!
    assert.deepEqual([headers['key'], headers['idempotency-key']], ['s3cret', `${run['id']}:s:1:1`])
    const [kept] = await runsOf(id)
    assert.deepEqual(
      [kept.origin, kept.outcome, kept.error, kept.logs.map(({ text }: { text: string }) => text)],
      [{ type: 'workflow', id: workflow }, 'success', null, ['asked']],
    )
  })

  test('new scripts and imports apply from the next run, also in active workflows', async () => {
    const id = await webtask('export const n = 1\nexport default () => n')
    const byNode = await workflows.activate({ nodes: [node({ webtask: id, into: 'n' }), end] })
    const imported = await workflows.activate({
      scripting: { imports: [{ name: 'shop', type: 'webtask', value: id }] },
      nodes: [node({ value: 'import { n } from "shop"\nexport default () => n', into: 'n' }), end],
    })
    const values = async () => [(await ran(byNode))['variables'], (await ran(imported))['variables']]
    assert.deepEqual(await values(), [{ n: 1 }, { n: 1 }])
    const value = 'export const n = 2\nexport default () => n'
    assert.equal((await call('PUT', `${WEBTASKS}/${id}/script`, { body: { value } })).status, 200)
    assert.deepEqual(await values(), [{ n: 2 }, { n: 2 }])
    assert.equal((await runsOf(id)).length, 2)
  })

  test("the webtask's limits apply, and an error fails the node and is recorded", async () => {
    const id = await webtask('export default () => { for (;;); }', { settings: { cpuMs: 10, logs: false } })
    const run = await ran(await workflows.activate({ nodes: [node({ webtask: id }), end] }))
    assert.equal(run['status'], 'failed')
    assert.match(String(run['reason']), /^timeout: /)
    const [kept] = await runsOf(id)
    assert.deepEqual([kept.outcome, kept.error.limit], ['error', 'cpu'])
  })

  test('a deleted webtask fails the node', async () => {
    const id = await webtask('export default () => 1')
    const workflow = await workflows.activate({ nodes: [node({ webtask: id }), end] })
    assert.equal((await call('DELETE', `${WEBTASKS}/${id}`)).status, 204)
    const run = await ran(workflow)
    assert.deepEqual([run['status'], run['reason']], ['failed', `unknown-reference: There is no webtask ${id}.`])
  })

  test('a simulation runs the webtask and records no run', async () => {
    const id = await webtask('export default () => 7')
    const made = await call('POST', '/scripting/workflows', {
      body: { name: 'Tried', nodes: [node({ webtask: id, into: 'n' }), end] },
    })
    const tried = await call('POST', `/scripting/workflows/${made.body.id}/simulation`, { body: {} })
    assert.equal(tried.status, 200, tried.text)
    assert.match(tried.text, /"n":7/)
    assert.deepEqual(await runsOf(id), [])
  })
})
