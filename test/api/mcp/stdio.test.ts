import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startHarness } from '../../support/harness.ts'
import { runProgram } from '../../support/processes/process.ts'
import { programPath } from '../../support/processes/programs.ts'
import { callTool, listening, problemOf } from './clients.ts'

const MAIN = programPath('src/main.ts')

const harness = await startHarness()
const url = await listening(harness)

/** The reference client, which starts `stentor mcp` with a key. */
async function started(key: string): Promise<Client> {
  const env = { PATH: process.env['PATH'] ?? '', STENTOR_URL: url, STENTOR_KEY: key }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env }))
  after(() => client.close())
  return client
}

suite('stentor mcp', () => {
  test('the reference client lists and calls the tools of the service', async () => {
    const client = await started(harness.own.key)
    assert.equal((await client.listTools()).tools.length, 30)
    assert.match(client.getInstructions() ?? '', /text written by others/)
    const { id } = (await harness.call('POST', '/targets', { body: { Email: 'ada@reader.example' } })).body
    const { confirmation, state } = (await callTool(client, 'delete_object', { type: 'contact', id })).value
    assert.equal(state, 'confirmation-needed')
    const done = await callTool(client, 'delete_object', { type: 'contact', id, confirmation })
    assert.equal(done.value.state, 'done')
    assert.equal((await harness.call('GET', `/targets/${id}`)).status, 404)
  })

  test('ids of another account are unknown, and a read-only key cannot delete', async () => {
    const { id } = (await harness.call('POST', '/targets', { body: { Email: 'bob@reader.example' } })).body
    const rival = await started(harness.other.key)
    assert.equal(problemOf(await callTool(rival, 'read_contact', { contact: id })), 'not-found')
    const reader = await started(await harness.makeKey(harness.own.account, ['read']))
    assert.equal(problemOf(await callTool(reader, 'delete_object', { type: 'contact', id })), 'right-missing')
  })

  test('a wrong or missing setting is reported in a sentence', async () => {
    const unknown = await runProgram(['mcp'], { STENTOR_URL: url, STENTOR_KEY: 'unknown' })
    assert.deepEqual([unknown.status, unknown.out], [1, ''])
    assert.match(unknown.errors, /STENTOR_KEY: the key is unknown, revoked or expired\./)
    const missing = await runProgram(['mcp'], { STENTOR_KEY: 'unknown' })
    assert.match(missing.errors, /STENTOR_URL is required/)
  })
})
