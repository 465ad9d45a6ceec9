import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'
import { callTool, connected, listening, problemOf, type Told, untrusted } from './clients.ts'

const stage = await startStage()
const { own, other, call, clock, context } = stage
const url = await listening(stage)
const client = await connected(url, { 'x-key': own.key })
const rival = await connected(url, { 'x-key': other.key })
const reader = await connected(url, { 'x-key': await stage.makeKey(own.account, ['read']) })

/** Works off the next run that waits, as the service does by itself. */
async function workNext(): Promise<void> {
  const { id } = await eventually(() =>
    context.db.selectFrom('import_executions').select('id').where('state', '=', 0).executeTakeFirst(),
  )
  await runImport(context, { execution: id })
}

/** A call that waits for a run, later than the last change. */
async function callWhileWorking(args: Record<string, unknown>): Promise<Told> {
  clock.advance(1)
  const [answer] = await Promise.all([callTool(client, 'start_import', args), workNext()])
  return answer
}

const counted = async () => (await call('GET', '/targets/count')).body

suite('MCP imports', () => {
  test('a text is previewed, tried and imported by the second call', async () => {
    await stage.contact('ann@reader.example')
    const before = await counted()
    const csv = 'Email;Shoe size\nann@reader.example;38\nben@reader.example;40\nno address;41\n'
    const drafted = await callTool(client, 'draft_import', { name: 'Spring', csv })
    assert.equal(drafted.isError, false, JSON.stringify(drafted.value))
    const { id, created, preview } = drafted.value
    assert.deepEqual([created, preview.data.columns.length, preview.data.lines.length], [true, 2, 3])
    assert.equal(preview.data.features[0].type, 'columns')
    const first = await callWhileWorking({ id })
    assert.deepEqual([first.value.state, first.value.count], ['confirmation-needed', 2], JSON.stringify(first.value))
    const { dryRun } = first.value.object.data
    assert.deepEqual([dryRun.created, dryRun.rejected], [1, 1])
    assert.deepEqual(await counted(), before)
    const { confirmation } = first.value
    const done = await callTool(client, 'start_import', { id, confirmation })
    assert.equal(done.value.state, 'done', JSON.stringify(done.value))
    const { execution } = done.value.result.data
    assert.deepEqual(done.value.result, untrusted({ id, execution, running: true }))
    assert.equal(problemOf(await callTool(client, 'start_import', { id })), 'import-running')
    await workNext()
    const { runs } = (await callTool(client, 'read_import', { id })).value
    assert.deepEqual([runs.data.length, runs.data[0].id, runs.data[0].created], [1, execution, 1])
    assert.equal((await callTool(client, 'read_contact', { id: 'ben@reader.example' })).isError, false)
  })

  test('other features replace the proposed ones, and a changed import is not run', async () => {
    const { id: segment } = (await callTool(client, 'save_segment', { name: 'Spring', type: 'static' })).value
    const { id } = (await callTool(client, 'draft_import', { csv: 'Email\ncid@reader.example\n' })).value
    const first = await callWhileWorking({ id })
    const features = [{ type: 'segmentation', segmentId: segment }]
    const changed = await callTool(client, 'draft_import', { id, features })
    const types = changed.value.preview.data.features.map(({ type }: { type: string }) => type)
    assert.deepEqual(types, ['segmentation', 'columns'])
    assert.deepEqual((await call('GET', `/imports/${id}`)).body.features, changed.value.preview.data.features)
    const again = { id, confirmation: first.value.confirmation }
    const stale = await callWhileWorking(again)
    assert.equal(problemOf(stale), 'confirmation-stale')
    assert.equal(problemOf(await callTool(client, 'read_contact', { id: 'cid@reader.example' })), 'not-found')
  })

  test('a file that would import nothing, or fail, is refused', async () => {
    const { id } = (await callTool(client, 'draft_import', { csv: 'Email\nnothing\n' })).value
    const empty = await callWhileWorking({ id })
    assert.equal(problemOf(empty), 'import-empty')
    assert.match(empty.value.error.next, /draft_import/)
    const features = [{ type: 'columns', fields: [{ column: 'Email', field: null }] }]
    const flawed = await callTool(client, 'draft_import', { id, features })
    const unbound = flawed.isError ? flawed : await callWhileWorking({ id })
    assert.equal(unbound.isError, true, JSON.stringify(unbound.value))
    assert.equal(problemOf(await callTool(client, 'draft_import', { name: 'None' })), 'invalid-request')
  })

  test('an import that runs by itself is not changed', async () => {
    const { id } = (await callTool(client, 'draft_import', { csv: 'Email\nfay@reader.example\n' })).value
    const scheduler = { type: 'scheduled', startDate: '2090-01-01T08:00:00Z' }
    assert.equal((await call('PUT', `/imports/${id}`, { body: { scheduler } })).status, 200)
    const before = (await call('GET', `/imports/${id}`)).body
    const refused = await callTool(client, 'draft_import', { id, csv: 'Email\ngil@reader.example\n' })
    assert.equal(problemOf(refused), 'import-scheduled')
    assert.deepEqual((await call('GET', `/imports/${id}`)).body, before)
  })

  test('readers and other accounts cannot prepare or run an import', async () => {
    const { id } = (await callTool(client, 'draft_import', { csv: 'Email\ndee@reader.example\n' })).value
    assert.equal(problemOf(await callTool(reader, 'draft_import', { csv: 'Email\na@b.example\n' })), 'right-missing')
    assert.equal(problemOf(await callTool(reader, 'start_import', { id })), 'right-missing')
    assert.equal(problemOf(await callTool(rival, 'start_import', { id })), 'not-found')
    assert.equal(problemOf(await callTool(rival, 'read_import', { id })), 'not-found')
  })
})
