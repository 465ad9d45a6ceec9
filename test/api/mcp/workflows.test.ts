import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'
import { assertPending, callTool, callTwice, connected, listening, problemOf, untrusted } from './clients.ts'

const stage = await startStage()
const { own, other, call, clock } = stage
const url = await listening(stage)
const client = await connected(url, { 'x-key': own.key })
const rival = await connected(url, { 'x-key': other.key })
const writer = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read', 'write']) })
const sender = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read', 'send']) })

const nodes = [{ id: 'end', type: 'terminal', default: true, settings: { outcome: 'welcomed' } }]
const OF = 'paused runs that continue, and contacts for which its tasks start runs'
const shown = async (id: number) => (await call('GET', `/scripting/workflows/${id}`)).body

/** A workflow with a task that starts runs for a segment of so many contacts. */
async function made(size: number, name: string): Promise<{ workflow: number; segment: number }> {
  const addresses = Array.from({ length: size }, (_, index) => `${name}${index}@reader.example`)
  const segment = await stage.segment(await Promise.all(addresses.map((address) => stage.contact(address))))
  const schedulers = [{ type: 'cron', hour: '9', minute: '0' }]
  const provider = { type: 'segment', value: { id: segment } }
  const body = { name, nodes, tasks: [{ id: 'morning', schedulers, provider, handler: 'end' }] }
  const answer = await call('POST', '/scripting/workflows', { body })
  assert.equal(answer.status, 200, answer.text)
  return { workflow: answer.body.id, segment }
}

suite('MCP tools for workflows', () => {
  test('a workflow is activated and deactivated, each by the second call', async () => {
    const { workflow } = await made(2, 'ann')
    const before = await shown(workflow)
    const [first, second] = await callTwice(client, 'activate_workflow', { id: workflow })
    const [{ schedulers }] = before.tasks
    const tasks = [{ id: 'morning', provider: 'segment', schedulers, contacts: 2 }]
    const starts = { pausedRuns: 0, listeners: [], tasks }
    const will = 'activate the workflow'
    assertPending(first, { will, count: 2, of: OF, object: untrusted({ workflow: before, starts }) })
    assert.deepEqual(second.value, {
      state: 'done',
      did: will,
      count: 2,
      of: OF,
      result: untrusted({ id: workflow, version: 1, active: true }),
    })
    assert.equal(problemOf(await callTool(client, 'activate_workflow', { id: workflow })), 'workflow-active')
    const active = await shown(workflow)
    const args = { id: workflow, open: 'kill' }
    const [asked, done] = await callTwice(client, 'deactivate_workflow', args)
    const stops = { will: 'deactivate the workflow', count: 1, of: 'workflows' }
    assertPending(asked, { ...stops, object: untrusted({ workflow: active, openRuns: 0 }) })
    assert.deepEqual(done.value, {
      state: 'done',
      did: stops.will,
      count: 1,
      of: 'workflows',
      result: untrusted({ id: workflow, version: 1, active: false }),
    })
    assert.equal(problemOf(await callTool(client, 'deactivate_workflow', { id: workflow })), 'workflow-inactive')
  })

  test('a confirmation works once, for 5 minutes, for one version, audience and caller', async () => {
    const { workflow, segment } = await made(1, 'ben')
    const name = 'activate_workflow'
    const asked = async () => (await callTool(client, name, { id: workflow })).value.confirmation
    const stale = await asked()
    await call('PUT', `/scripting/workflows/${workflow}/settings`, { body: { concurrency: 2 } })
    assert.equal(problemOf(await callTool(client, name, { id: workflow, confirmation: stale })), 'confirmation-stale')
    const fewer = await asked()
    await call('PUT', `/segments/${segment}/targets`, { body: [await stage.contact('ben-more@reader.example')] })
    const grown = await callTool(client, name, { id: workflow, confirmation: fewer })
    assert.match(grown.value.error.detail, /confirmation was for 1, but the count is now 2/)
    const late = await asked()
    clock.advance(300_000)
    assert.equal(problemOf(await callTool(client, name, { id: workflow, confirmation: late })), 'confirmation-expired')
    const good = await asked()
    assert.equal(problemOf(await callTool(sender, name, { id: workflow, confirmation: good })), 'confirmation-unknown')
    assert.equal(problemOf(await callTool(writer, name, { id: workflow, confirmation: good })), 'right-missing')
    assert.equal(problemOf(await callTool(rival, name, { id: workflow, confirmation: good })), 'not-found')
    assert.equal((await shown(workflow)).state, 0)
    assert.equal((await callTool(client, name, { id: workflow, confirmation: good })).value.state, 'done')
    await callTwice(writer, 'deactivate_workflow', { id: workflow })
    assert.equal((await shown(workflow)).state, 0)
    assert.equal(problemOf(await callTool(client, name, { id: workflow, confirmation: good })), 'confirmation-used')
    assert.equal((await shown(workflow)).state, 0)
  })

  test('a flawed workflow gets no confirmation, and its flaws are returned', async () => {
    const { body } = await call('POST', '/scripting/workflows', { body: { name: 'Empty', nodes: [] } })
    const { body: flaws } = await call('GET', `/scripting/workflows/${body.id}/flaws`)
    const told = await callTool(client, 'activate_workflow', { id: body.id })
    assert.equal(problemOf(told), 'workflow-flawed')
    assert.deepEqual(told.value.error.more, untrusted({ flaws }))
  })
})
