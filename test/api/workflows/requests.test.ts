import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { createScriptSecretSealer } from '../../../src/scripting/secrets.ts'
import { allowAborts } from '../../fakes/web/client-aborts.ts'
import { startHarness } from '../../support/harness.ts'
import { programPath } from '../../support/processes/programs.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'
import { eventually } from '../../support/wait.ts'

interface Call {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
}

const calls: Call[] = []
/** What the server answers next; without one it answers 200. */
const answers: ((response: ServerResponse) => void)[] = []
const server = createServer(
  allowAborts(async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    const { method = '', url = '', headers } = request
    calls.push({ method, url, headers, body })
    const answer =
      answers.shift() ?? ((given) => given.setHeader('content-type', 'application/json').end('{"ok":true}'))
    answer(response)
  }),
)
await once(server.listen(0, 'localhost'), 'listening')
const host = `localhost:${(server.address() as AddressInfo).port}`

const harness = await startHarness()
const { context, own, clock } = harness
const config = { ...context.config, outgoingAllow: [host] }
const stage = workflowStage({ ...harness, context: { ...context, config } })
after(() => {
  server.closeAllConnections()
  server.close()
})

const environment = { http: { allow: [`http://${host}`] } }
const ends = [
  { id: 'end', type: 'terminal', settings: { outcome: 'ok' } },
  { id: 'bad', type: 'terminal', settings: { outcome: 'bad' } },
]
const calling = (settings: object, more: { id?: string; environment?: object } = {}) => ({
  scripting: { environment: { ...environment, ...more.environment } },
  nodes: [
    {
      id: more.id ?? 'call',
      type: 'request',
      default: true,
      next: 'end',
      settings: { url: `http://${host}/there`, into: 'answer', ...settings },
    },
    ...ends,
  ],
})

async function runOf(given: object, data: Record<string, unknown> = {}): Promise<string> {
  const started = await stage.start(await stage.activate(given), { data })
  assert.equal(started.type, 'started')
  return (started as { id: string }).id
}

async function performed(given: object, data: Record<string, unknown> = {}) {
  const id = await runOf(given, data)
  await stage.work()
  return stage.run(id)
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end()
const never = (): void => undefined

describe('request nodes', () => {
  test('send the method, headers and body computed by expressions, and store the answer', async () => {
    calls.length = 0
    const given = calling({
      method: 'POST',
      body: { type: 'path', value: 'data.cart' },
      headers: {
        'X-Name': { type: 'template', value: 'n {{ data.name }}' },
        'X-None': { type: 'path', value: 'data.x' },
      },
    })
    const run = await performed(given, { cart: { total: 3 }, name: 'ann' })
    assert.equal(run['outcome'], 'ok')
    const { answer } = run['variables'] as { answer: { status: number; headers: object; body: unknown } }
    assert.deepEqual([answer.status, answer.body], [200, { ok: true }])
    const [call = assert.fail()] = calls
    assert.deepEqual(
      [call.method, call.url, call.body, call.headers['x-name'], call.headers['x-none']],
      ['POST', '/there', '{"total":3}', 'n ann', undefined],
    )
  })

  test('a node with a non-ASCII name sends an ASCII idempotency key', async () => {
    calls.length = 0
    const { id } = await performed(calling({}, { id: 'étape 1' }))
    assert.equal(calls[0]?.headers['idempotency-key'], `${id}:%C3%A9tape%201:1`)
  })

  test('secrets are inserted into headers and body and do not appear in the run', async () => {
    calls.length = 0
    // What the stage stores is sealed already.
    const sealed = createScriptSecretSealer(context.masterKeys, own.account).seal('shop', 's3cret')
    const given = calling(
      { method: 'POST', headers: { authorization: 'Bearer [[secret:shop]]' }, body: '{"k":"[[secret:shop]]"}' },
      { environment: { secrets: { shop: sealed } } },
    )
    const run = await performed(given)
    assert.equal(run['outcome'], 'ok')
    assert.deepEqual([calls[0]?.headers.authorization, calls[0]?.body], ['Bearer s3cret', '{"k":"s3cret"}'])
    assert.doesNotMatch(JSON.stringify(run), /s3cret/)
  })

  test('a host that is not allowed, an unknown secret or an invalid request fails permanently without a call', async () => {
    calls.length = 0
    const refused = [
      [{ url: 'https://elsewhere.example/' }, /^capability: /],
      [{ url: 'http://127.0.0.1:1/' }, /^capability: /],
      [{ headers: { a: '[[secret:none]]' } }, /^secret: /],
      [{ headers: { 'a b': 'x' } }, /^request: /],
      [{ url: { type: 'path', value: 'data.none' } }, /^type-mismatch: /],
    ] as const
    for (const [settings, reason] of refused) {
      const run = await performed(calling(settings))
      assert.equal(run['status'], 'failed')
      assert.match(String(run['reason']), reason)
    }
    assert.equal(calls.length, 0)
  })

  test('408, 425, 429 and 5xx are retried under the same key, and other statuses are not', async () => {
    for (const code of [408, 425, 429, 500, 503]) {
      calls.length = 0
      answers.push(status(code))
      const id = await runOf(calling({}))
      await stage.work()
      assert.equal((await stage.run(id))['status'], 'waiting', String(code))
      clock.advance(2 * 60_000)
      await stage.work()
      assert.equal((await stage.run(id))['outcome'], 'ok')
      assert.equal(calls.length, 2)
      assert.equal(calls[0]?.headers['idempotency-key'], calls[1]?.headers['idempotency-key'])
    }
    for (const code of [301, 400, 404, 409]) {
      answers.push(status(code))
      const run = await performed(calling({}))
      assert.deepEqual([run['status'], run['reason']], ['failed', `status: The server answered ${code}.`])
    }
  })

  test('Retry-After delays the next attempt', async () => {
    calls.length = 0
    answers.push(status(429, { 'retry-after': '3600' }))
    const id = await runOf(calling({}))
    await stage.work()
    clock.advance(3_599_000)
    await stage.work()
    assert.equal(calls.length, 1)
    clock.advance(1000)
    await stage.work()
    assert.equal(calls.length, 2)
    assert.equal((await stage.run(id))['outcome'], 'ok')
  })

  test('statuses listed as success succeed, and no others do', async () => {
    answers.push(status(404))
    const found = await performed(calling({ success: [404] }))
    assert.equal((found['variables'] as { answer: { status: number } }).answer.status, 404)
    const ok = await performed(calling({ success: [404], failure: { mode: 'goto', next: 'bad' } }))
    assert.equal(ok['outcome'], 'bad')
  })

  test('answers that are too large, or are labelled as JSON but invalid, are permanent errors', async () => {
    answers.push((response) => response.end('x'.repeat(256 * 1024 + 1)))
    assert.match(String((await performed(calling({})))['reason']), /^result: /)
    answers.push((response) => response.setHeader('content-type', 'application/json').end('{'))
    assert.match(String((await performed(calling({})))['reason']), /^result: /)
    answers.push((response) => response.setHeader('content-type', 'text/plain').end('{}'))
    const text = await performed(calling({}))
    assert.equal((text['variables'] as { answer: { body: string } }).answer.body, '{}')
  })

  test('a timed-out call is retried, and with repeat false it fails as in doubt', async () => {
    answers.push(never)
    const id = await runOf(calling({ timeoutMs: 100 }))
    await stage.work()
    assert.equal((await stage.run(id))['status'], 'waiting')
    calls.length = 0
    answers.push(never)
    const once = await performed(calling({ timeoutMs: 100, repeat: false }))
    assert.match(String(once['reason']), /^in doubt: /)
    answers.push(status(503))
    const refused = await performed(calling({ repeat: false }))
    assert.match(String(refused['reason']), /^status: /)
    assert.equal(calls.length, 2)
    // On a busy machine an answer may take longer than 100 ms.
    await eventually(async () => {
      clock.advance(2 * 60_000)
      await stage.work()
      return (await stage.run(id))['outcome'] === 'ok'
    })
  })
})

describe('request nodes whose process is killed during the call', () => {
  const url = context.pool.options.connectionString ?? ''

  /** Starts a process that performs a run, and kills it as soon as the server has the last of its calls, which it does not answer. */
  async function killedWhileCalling(
    settings: object,
    definition: object = calling(settings),
    callCount = 1,
  ): Promise<string> {
    calls.length = 0
    for (let n = 1; n < callCount; n++) answers.push(status(200))
    answers.push(never)
    const id = await runOf(definition)
    const args = [url, String(clock.now()), host]
    const child = fork(programPath('test/fakes/programs/mortal-workflow-worker.ts'), args)
    const ended = once(child, 'exit')
    await eventually(() => calls.length === callCount)
    child.kill('SIGKILL')
    await ended
    // Its lease ends.
    clock.advance(31_000)
    await stage.work()
    return id
  }

  test('the call is repeated under the same key by another worker', async () => {
    const id = await killedWhileCalling({})
    assert.equal((await stage.run(id))['outcome'], 'ok')
    assert.equal(calls.length, 2)
    assert.deepEqual([...new Set(calls.map(({ headers }) => headers['idempotency-key']))], [`${id}:call:1`])
  })

  test('with repeat false, the run fails as in doubt and the server gets one call', async () => {
    const id = await killedWhileCalling({ repeat: false })
    const { status: left, reason } = await stage.run(id)
    assert.equal(left, 'failed')
    assert.match(String(reason), /^in doubt: /)
    assert.equal(calls.length, 1)
  })

  test('with repeat false, a call that follows another one in the same walk is not made twice either', async () => {
    const first = calling({ repeat: false })
    const [call] = first.nodes
    const nodes = [{ ...call, next: 'second' }, { ...call, id: 'second', default: false }, ...ends]
    const id = await killedWhileCalling({}, { ...first, nodes }, 2)
    const { status: left, reason } = await stage.run(id)
    assert.equal(left, 'failed')
    assert.match(String(reason), /^in doubt: /)
    assert.equal(calls.length, 2)
  })
})
