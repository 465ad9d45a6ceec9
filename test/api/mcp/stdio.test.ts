import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { startHarness } from '../../support/harness.ts'
import { runProgram } from '../../support/processes/process.ts'
import { programPath } from '../../support/processes/programs.ts'
import { callTool, listening, problemOf } from './clients.ts'

const MAIN = programPath('src/main.ts')
const SOURCE = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const MODULE_LOG = new URL('../../fakes/module-log.ts', import.meta.url).href

const harness = await startHarness()
const url = await listening(harness)

/** The reference client, which starts `stentor mcp` with a key. */
async function started(key: string, { main = MAIN, env: more = {} } = {}): Promise<Client> {
  const env = { PATH: process.env['PATH'] ?? '', STENTOR_URL: url, STENTOR_KEY: key, ...more }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env }))
  after(() => client.close())
  return client
}

suite('stentor mcp', () => {
  test('the reference client lists and calls the tools of the service', async () => {
    const client = await started(harness.own.key)
    assert.equal((await client.listTools()).tools.length, 48)
    assert.match(client.getInstructions() ?? '', /text written by others/)
    const { id } = (await harness.call('POST', '/targets', { body: { Email: 'ada@reader.example' } })).body
    const { confirmation, state } = (await callTool(client, 'delete_object', { kind: 'contact', id })).value
    assert.equal(state, 'confirmation-needed')
    const done = await callTool(client, 'delete_object', { kind: 'contact', id, confirmation })
    assert.equal(done.value.state, 'done')
    assert.equal((await harness.call('GET', `/targets/${id}`)).status, 404)
  })

  test('ids of another account are unknown, and a read-only key cannot delete', async () => {
    const { id } = (await harness.call('POST', '/targets', { body: { Email: 'bob@reader.example' } })).body
    const rival = await started(harness.other.key)
    assert.equal(problemOf(await callTool(rival, 'read_contact', { id })), 'not-found')
    const reader = await started(await harness.makeKey(harness.own.account, ['read']))
    assert.equal(problemOf(await callTool(reader, 'delete_object', { kind: 'contact', id })), 'right-missing')
  })

  test('prompts and resources of the service are handed on', async () => {
    const client = await started(harness.own.key)
    assert.equal((await client.listPrompts()).prompts.length, 3)
    const { messages } = await client.getPrompt({ name: 'explain_report', arguments: { id: '7' } })
    assert.equal(messages.length, 1)
    await assert.rejects(client.getPrompt({ name: 'explain_report' }), /The argument "id" is required/)
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3)
    assert.ok((await client.listResources()).resources.length > 30)
    const { contents } = await client.readResource({ uri: 'stentor://segments' })
    assert.match(JSON.stringify(contents), /untrusted/)
    await assert.rejects(client.readResource({ uri: 'stentor://nothing' }), /not found/i)
  })

  test('an answer takes no module of the server, the database or a feature', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stentor-mcp-'))
    after(() => rm(folder, { recursive: true }))
    const file = join(folder, 'modules')
    const env = { STENTOR_TEST_MODULES: file, NODE_OPTIONS: `--import=${MODULE_LOG}` }
    const client = await started(harness.own.key, { main: SOURCE, env })
    assert.equal((await client.listTools()).tools.length, 48)
    const modules = [...new Set((await readFile(file, 'utf8')).split('\n'))]
    const ours = modules.filter((module) => module.includes('/src/') && !module.includes('/node_modules/'))
    assert.ok(ours.length > 10, 'the modules are noted')
    const heavy =
      /\/src\/(?:app\.ts|features|database|http|sending|jobs|scripting|gateways|channels)|\/(?:fastify|pg|kysely|typebox|ajv)\//
    assert.deepEqual(
      modules.filter((module) => heavy.test(module)),
      [],
    )
    assert.ok(modules.length < 250, `${modules.length} modules`)
  })

  test('a wrong or missing setting is reported in a sentence', async () => {
    const unknown = await runProgram(['mcp'], { STENTOR_URL: url, STENTOR_KEY: 'unknown' })
    assert.deepEqual([unknown.status, unknown.out], [1, ''])
    assert.match(unknown.errors, /STENTOR_KEY: the key is unknown, revoked or expired\./)
    const missing = await runProgram(['mcp'], { STENTOR_KEY: 'unknown' })
    assert.match(missing.errors, /STENTOR_URL is required/)
    const misspelt = await runProgram(['mcp'], { STENTOR_URL: url, STENTOR_KEY: 'a\nb' })
    assert.deepEqual(misspelt, {
      status: 1,
      out: '',
      errors: 'stentor: STENTOR_KEY: its value must be printable ASCII characters without spaces.\n',
    })
  })

  test('a service that does not speak the protocol is reported in a sentence, with status 1', async () => {
    let answer: { status: number; body: string }
    const server = createServer((_, response) => response.writeHead(answer.status).end(answer.body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    const peerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const other = `STENTOR_URL: the service at ${peerUrl} does not respond as Stentor does`
    const rejected = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Unsupported protocol version' } }
    const cases: [status: number, body: string, sentence: string][] = [
      [200, 'hello', `${other} (status 200).`],
      [200, 'null', `${other} (status 200).`],
      [200, '"hello"', `${other} (status 200).`],
      [200, '{"result":{}}', `${other} (status 200).`],
      [502, '<html>', `${other} (status 502).`],
      [400, JSON.stringify(rejected), `The service at ${peerUrl} rejects this program: Unsupported protocol version.`],
      [503, '{"detail":"The service is stopping."}', 'The service is stopping.'],
    ]
    for (const [status, body, sentence] of cases) {
      answer = { status, body }
      const ended = await runProgram(['mcp'], { STENTOR_URL: peerUrl, STENTOR_KEY: 'key' })
      assert.deepEqual(ended, { status: 1, out: '', errors: `stentor: ${sentence}\n` }, body)
    }
  })
})
