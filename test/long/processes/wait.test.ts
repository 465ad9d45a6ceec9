import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { renderBashCompletion } from '../../../src/cli/commands/completion.ts'
import { commandTable } from '../../../src/cli/table.ts'
import { waitableStates } from '../../../src/cli/wait-states.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import {
  FROM_SOURCE,
  KEY,
  prepareService,
  runProgram,
  type Settings,
  startProgram,
} from '../../support/processes/process.ts'

const MODULE_LOG = new URL('../../fakes/module-log.ts', import.meta.url).href

/** A response of the fake service: a body with status 200, or a status with a body. */
type Scripted = object | readonly [status: number, body: object]

interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
}

/** The responses of each path in order; the last one is repeated. */
const script = new Map<string, Scripted[]>()
const received: ReceivedRequest[] = []

const server = createServer(({ url = '', headers }, response) => {
  received.push({ path: url, headers })
  const responses = script.get(url) ?? [[404, { detail: `There is no object at ${url}.` }]]
  const next = responses.length > 1 ? responses.shift()! : responses[0]!
  const [status, body] = Array.isArray(next) && typeof next[0] === 'number' ? next : [200, next]
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Runs `stentor wait` on the fake service. */
function wait(words: string, settings: Settings = {}) {
  return runProgram(['wait', ...words.split(' ')], { STENTOR_URL: url, STENTOR_KEY: KEY, ...settings })
}

/** Sets the responses of a path, and runs `stentor wait`. */
function waitFor(words: string, path: string, ...responses: Scripted[]) {
  script.set(path, responses)
  return wait(words)
}

interface ActionParts {
  type?: string
  paused?: boolean
  updateDate?: string
  lastValidation?: object | null
}

/** An action as the interface shows it, as far as a wait reads it. */
const action = (state: number, parts: ActionParts = {}): object => {
  const {
    type = 'mailCampaign',
    paused = false,
    updateDate = '2026-03-02T09:00:00.000Z',
    lastValidation = null,
  } = parts
  return { type, id: '000001', state, updateDate, informations: { state, paused, lastValidation } }
}

const repair = {
  phase: 'test',
  result: 'repair',
  endedAt: '2026-03-02T09:00:05.000Z',
  errors: [{ message: 'There is no field "Nofield".' }],
}

suite('stentor wait action', () => {
  test('prints the state once it is reached', async () => {
    const ended = await waitFor('action 000001 --until tested', '/actions/000001', action(30), action(36), action(38))
    assert.deepEqual(ended, { status: 0, out: 'tested\n', errors: '' })
  })

  test('counts a later state, except for paused', async () => {
    const later = await waitFor('action 000002 --until validated', '/actions/000002', action(60))
    assert.deepEqual([later.status, later.out], [0, 'sent\n'])
    const paused = await waitFor('action 000002 --until validated', '/actions/000002', action(55, { paused: true }))
    assert.deepEqual([paused.status, paused.out], [0, 'paused\n'])
    const resumed = [action(55, { paused: true }), action(55)]
    const sending = await waitFor('action 000002 --until sending', '/actions/000002', ...resumed)
    assert.deepEqual([sending.status, sending.out], [0, 'sending\n'])
    const sent = await waitFor('action 000002 --until paused', '/actions/000002', action(55), action(60))
    assert.deepEqual(sent, {
      status: 1,
      out: 'sent\n',
      errors: 'stentor: The state of action 000002 is "sent" and will not become "paused".\n',
    })
  })

  test('fails with the first error when the test fails', async () => {
    const failed = action(10, { lastValidation: repair })
    const ended = await waitFor('action 000003 --until tested', '/actions/000003', action(35), failed)
    assert.deepEqual(ended, {
      status: 1,
      out: 'incomplete\n',
      errors:
        'stentor: The state of action 000003 is "incomplete" and will not become "tested". The test failed: There is no field "Nofield".\n',
    })
  })

  test('does not fail because of a test before the last change', async () => {
    const repaired = action(20, { lastValidation: repair, updateDate: '2026-03-02T09:00:06.000Z' })
    const ended = await waitFor('action 000004 --until tested', '/actions/000004', repaired, action(36), action(38))
    assert.deepEqual([ended.status, ended.out], [0, 'tested\n'])
  })

  test('fails at once when a message on demand is to be sent', async () => {
    const validated = action(50, { type: 'smsMessage' })
    const ended = await waitFor('action 000005 --until sent', '/actions/000005', validated)
    assert.deepEqual([ended.status, ended.out], [1, 'validated\n'])
    assert.match(ended.errors, /is "validated" and will not become "sent"\. It is a message on demand/)
  })
})

suite('stentor wait', () => {
  test('fails with the reason when another final state is reached', async () => {
    const cases: readonly (readonly [words: string, path: string, body: object, out: string, error: RegExp])[] = [
      [
        'import 3 --until completed',
        '/imports/3/executions?limit=1',
        [{ state: 2, error: { type: 'cancelled', detail: 'The run was cancelled.' } }],
        'failed\n',
        /^stentor: The state of the last run of import 3 is "failed" and will not become "completed"\. Reason: The run was cancelled\.\n$/,
      ],
      [
        'import 3/7 --until failed',
        '/imports/3/executions/7',
        { state: 1, error: null },
        'completed\n',
        /^stentor: The state of run 7 of import 3 is "completed" and will not become "failed"\.\n$/,
      ],
      [
        'run 5 --until waiting',
        '/scripting/workflows/5/runs?sort=desc&limit=1',
        [{ status: 'killed', reason: 'contact deleted' }],
        'killed\n',
        /^stentor: The state of the newest run of workflow 5 is "killed" and .* Reason: contact deleted\n$/,
      ],
      [
        'message 1d6c --until accepted',
        '/messages/1d6c',
        { state: 'held', error: null },
        'held\n',
        /is "held" and will not become "accepted"\. Reason: its outcome is unknown/,
      ],
      [
        'job 8 --until done',
        '/jobs/8',
        { state: 'failed', error: { type: 'batch-failed', detail: 'A step failed.' } },
        'failed\n',
        /^stentor: The state of job 8 is "failed" and will not become "done"\. Reason: A step failed\.\n$/,
      ],
    ]
    for (const [words, path, body, out, error] of cases) {
      const ended = await waitFor(words, path, body)
      assert.deepEqual([ended.status, ended.out], [1, out], words)
      assert.match(ended.errors, error)
    }
  })

  test('prints the object as JSON, also when it fails', async () => {
    const run = { id: 7, state: 1, error: null }
    const ended = await waitFor('import 4 --until completed --json', '/imports/4/executions?limit=1', [], [run])
    assert.deepEqual([ended.status, JSON.parse(ended.out)], [0, run])
    const failed = await waitFor('import 4 --until failed --json', '/imports/4/executions?limit=1', [run])
    assert.deepEqual([failed.status, JSON.parse(failed.out)], [1, run])
  })

  test('fails after the timeout with the last state', async () => {
    const ended = await waitFor('job 9 --until done --timeout 1s', '/jobs/9', { state: 'queued', error: null })
    assert.deepEqual(ended, {
      status: 1,
      out: 'queued\n',
      errors: 'stentor: The state of job 9 is "queued", not "done", after 1 second.\n',
    })
    const missing = await waitFor(
      'run 6 --until waiting --timeout 0s',
      '/scripting/workflows/6/runs?sort=desc&limit=1',
      [],
    )
    assert.equal(
      missing.errors,
      'stentor: The state of the newest run of workflow 6 is "not started", not "waiting", after 0 seconds.\n',
    )
  })

  test('asks again while the service cannot respond, and fails at once for a rejected request', async () => {
    const busy = [503, { detail: 'The database is unavailable.' }] as const
    const recovered = await waitFor('workflow 1 --until active', '/scripting/workflows/1', busy, [429, {}], {
      state: 1,
    })
    assert.deepEqual([recovered.status, recovered.out], [0, 'active\n'])
    const late = await waitFor('workflow 1 --until active --timeout 0s', '/scripting/workflows/1', busy)
    assert.equal(
      late.errors,
      'stentor: The state of workflow 1 is unknown after 0 seconds. The database is unavailable.\n',
    )
    const unknown = await wait('workflow 2 --until active')
    assert.deepEqual([unknown.status, unknown.out], [1, ''])
    assert.equal(unknown.errors, 'stentor: There is no object at /scripting/workflows/2.\n')
    const rejected = await waitFor('workflow 3 --until active', '/scripting/workflows/3', [401, {}])
    assert.equal(rejected.errors, 'stentor: The key is unknown, revoked or expired. Set STENTOR_KEY or --key.\n')
    const misspelt = await wait('workflow 3 --until active', { STENTOR_KEY: 'a\nb' })
    assert.match(misspelt.errors, /^stentor: STENTOR_KEY: its value must be printable ASCII/)
    const keyless = await wait('workflow 3 --until active', { STENTOR_KEY: '' })
    assert.match(keyless.errors, /^stentor: STENTOR_KEY or --key is required/)
  })

  test('fails with a sentence for a response that is not of Stentor', async () => {
    for (const body of ['hello', [], {}]) {
      const { status, errors } = await waitFor('action 0000X1 --until sent', '/actions/0000X1', [200, body] as never)
      const sentence = 'The response of /actions/0000X1 is not one of Stentor. Check STENTOR_URL or --url.'
      assert.deepEqual([status, errors], [1, `stentor: ${sentence}\n`])
    }
  })

  test('waits for a text in a response, or for its absence', async () => {
    const [ann, ben] = [[{ to: 'ann@shop.example' }], [{ to: 'ben@shop.example' }]]
    const found = await waitFor('response /captured --contains ben@shop.example', '/captured', [], ann, ben)
    assert.deepEqual(found, { status: 0, out: '', errors: '' })
    const gone = await waitFor('response /captured --without ann@shop.example --json', '/captured', ann, ben)
    assert.deepEqual([gone.status, JSON.parse(gone.out)], [0, ben])
    const late = await waitFor('response /captured --contains cleo --timeout 0s', '/captured', ann)
    assert.equal(late.errors, 'stentor: The response of /captured does not contain "cleo" after 0 seconds.\n')
  })

  test('calls --url before STENTOR_URL before the configured port, with --key before STENTOR_KEY', async () => {
    script.set('/jobs/1', [{ state: 'done', error: null }])
    const port = new URL(url).port
    const elsewhere = 'http://127.0.0.1:9'
    received.length = 0
    const options = await wait(`job 1 --until done --url ${url}/ --key other`, { STENTOR_URL: elsewhere })
    const configured = await wait('job 1 --until done', { STENTOR_URL: '', STENTOR_HTTP_PORT: port })
    assert.deepEqual([options.status, configured.status], [0, 0])
    assert.deepEqual(
      received.map(({ path, headers }) => [path, headers['x-key'], headers.accept]),
      [
        ['/jobs/1', 'other', 'application/json'],
        ['/jobs/1', KEY, 'application/json'],
      ],
    )
    const free = await wait('job 1 --until done', { STENTOR_URL: '' })
    assert.match(free.errors, /^stentor: --url or STENTOR_URL is required, because STENTOR_HTTP_PORT is 0\.\n$/)
  })

  test('waits for a service that starts later, and fails at once for an object of one that does not respond', async (t) => {
    const port = await findFreePort()
    const address = `http://127.0.0.1:${port}`
    const none = await wait('job 1 --until done', { STENTOR_URL: address })
    assert.deepEqual([none.status, none.out], [1, ''])
    assert.equal(none.errors, `stentor: No service responds at ${address}. Start it, or set STENTOR_URL or --url.\n`)
    assert.equal((await wait('service --until unavailable', { STENTOR_URL: address })).out, 'unavailable\n')
    const waiting = startProgram(['wait', 'service', '--until', 'ready', '--url', address])
    let count = 0
    const late = createServer((_, response) => {
      const isReady = count++ > 0
      response.writeHead(isReady ? 200 : 503).end(JSON.stringify({ status: isReady ? 'ready' : 'unavailable' }))
    })
    t.after(() => {
      late.closeAllConnections()
      late.close()
    })
    late.listen(port, '127.0.0.1')
    const { status, out } = await waiting.ended
    assert.deepEqual([status, out, count], [0, 'ready\n', 2])
  })

  test('rejects unknown words with the nearest known one', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      ['acton 1 --until sent', /There is no command "wait acton"\. Did you mean "wait action"\?/],
      [
        'action 1 --until teste',
        /"teste" is not a state of an action\. Did you mean "tested"\? The states are complete,/,
      ],
      ['action 1 --untl sent', /stentor wait action has no option --untl\. Did you mean --until\?/],
      ['rcs-action 1 --until tested', /"tested" is not a state of an RCS action\./],
      ['action 1', /^stentor: --until is required\.\n$/],
      ['action --until sent', /^stentor: wait action requires an argument: wait action ID --until STATE\.\n$/],
      ['job 1 --until done --timeout 10', /--timeout must be a number of seconds, minutes or hours .*, not "10"/],
      ['job 1 --until done --timeout=-1m', /--timeout must be a number of .*, not "-1m"/],
      ['job 1 --until done --timeout m', /--timeout must be a number of .*, not "m"/],
      ['job 1 --until done --url nowhere', /^stentor: --url: "nowhere" must be an http or https address/],
      ['response captured --contains a', /The path must begin with "\/", such as \/captured, not "captured"\./],
      ['response /captured', /^stentor: Use either --contains or --without\.\n$/],
    ]
    for (const [words, error] of cases) {
      const { status, out, errors } = await wait(words)
      assert.deepEqual([status, out], [1, ''], words)
      assert.match(errors, error)
    }
    const bare = await runProgram(['wait'])
    assert.match(bare.errors, /^stentor: Use wait action, wait rcs-action, .*, wait response\.\n$/)
  })

  test('has a row in the table for every kind, and completes its states', () => {
    const verbs = commandTable.find(({ name }) => name === 'wait')?.uses.map(({ verb }) => verb)
    assert.deepEqual(verbs?.toSorted(), [...Object.keys(waitableStates), 'response'].sort())
    const completion = renderBashCompletion(commandTable)
    for (const [kind, states] of Object.entries(waitableStates))
      assert.ok(completion.includes(`wait:${kind}:--until) COMPREPLY=($(compgen -W '${states.join(' ')}'`), kind)
  })

  test('loads neither the server nor the database', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'stentor-wait-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const modules = join(folder, 'modules')
    script.set('/jobs/1', [{ state: 'done', error: null }])
    const ended = await wait('job 1 --until done', {
      NODE_OPTIONS: `--import=${MODULE_LOG}`,
      STENTOR_TEST_MODULES: modules,
      [FROM_SOURCE]: '1',
    })
    assert.deepEqual([ended.status, ended.out], [0, 'done\n'])
    const loaded = (await readFile(modules, 'utf8')).split('\n')
    assert.ok(loaded.some((line) => line.endsWith('/src/cli/commands/wait.ts')))
    const heavy =
      /\/src\/(?:http|database|features|sending|channels|gateways|jobs|scripting)\/|\/node_modules\/(?:fastify|pg|kysely)\//
    assert.deepEqual(
      loaded.filter((line) => heavy.test(line)),
      [],
    )
  })
})

test('stentor wait reads the states of a real service', async (t) => {
  const service = await prepareService(t, { STENTOR_HTTP_PORT: String(await findFreePort()), STENTOR_KEY: KEY })
  const starting = service.start()
  const waitHere = async (...words: string[]) => (await service.run('wait', ...words, '--timeout', '3m')).trimEnd()
  assert.equal(await waitHere('service', '--until', 'ready', '--url', service.url), 'ready')
  await starting
  const waitThere = (...words: string[]) => waitHere(...words, '--url', service.url)

  const { id: contact } = await service.call('POST', '/targets', { Email: 'ann@shop.example' })
  const { id: segment } = await service.call('POST', '/segments', { type: 'static', name: 'Readers' })
  await service.call('PUT', `/segments/${segment}/targets`, [contact])
  const content = { subject: 'Spring', html: '<html><body><p>Hello</p></body></html>' }
  const scheduler = { type: 'asap', segments: { selected: [segment] } }
  const campaign = await service.call('POST', '/actions', { type: 'mailCampaign', name: 'Spring', content, scheduler })
  assert.equal(await waitThere('action', campaign.id, '--until', 'complete'), 'complete')
  const proof = { fortest: true, mediaForTest: 'me@shop.example' }
  await service.call('POST', `/actions/${campaign.id}/validation`, proof)
  assert.equal(await waitThere('action', campaign.id, '--until', 'tested'), 'tested')
  await service.call('POST', `/actions/${campaign.id}/validation`, {})
  assert.equal(await waitThere('action', campaign.id, '--until', 'sent'), 'sent')
  await waitThere('response', '/captured', '--contains', 'ann@shop.example')

  const flawed = { ...content, html: '<p>{{ contact.Nofield }}</p>' }
  const message = await service.call('POST', '/actions', { type: 'mailMessage', name: 'Receipt', content: flawed })
  await service.call('POST', `/actions/${message.id}/validation`, proof)
  const repaired = await runProgram(['wait', 'action', message.id, '--until', 'tested', '--url', service.url], {
    STENTOR_KEY: KEY,
  })
  assert.deepEqual([repaired.status, repaired.out], [1, 'incomplete\n'])
  assert.match(repaired.errors, /is "incomplete" and will not become "tested"\. The test failed: .*Nofield/)

  await service.call('PUT', `/actions/${message.id}`, { content })
  await service.call('POST', `/actions/${message.id}/validation`, proof)
  await service.call('POST', `/actions/${message.id}/validation`, {})
  assert.equal(await waitThere('action', message.id, '--until', 'validated'), 'validated')
  const stamp = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
  const item = { recipient: { type: 'id', value: contact }, stamp: { id: stamp } }
  await service.call('POST', `/actions/${message.id}/execution`, item)
  assert.equal(await waitThere('message', stamp, '--until', 'accepted'), 'accepted')

  const columns = [{ column: 'Email', field: 1 }]
  const { id: people } = await service.call('POST', '/imports', {
    name: 'People',
    features: [{ type: 'columns', header: true, fields: columns }],
  })
  await service.call('POST', `/imports/${people}/executions`, 'Email\nben@shop.example\n', 'text/csv')
  const run = JSON.parse(await waitThere('import', String(people), '--until', 'completed', '--json'))
  assert.deepEqual([run.import, run.state, run.created], [people, 1, 1])
  assert.equal(await waitThere('import', `${people}/${run.id}`, '--until', 'completed'), 'completed')

  const nodes = [
    {
      type: 'wait',
      id: 'pause',
      default: true,
      settings: { event: { type: 'action.hit', kinds: ['open'] }, timeout: { unit: 'DAY', value: 1 } },
      next: 'end',
    },
    { type: 'terminal', id: 'end', settings: { outcome: 'done' } },
  ]
  const { id: workflow } = await service.call('POST', '/scripting/workflows', { name: 'Series', nodes })
  assert.equal(await waitThere('workflow', String(workflow), '--until', 'inactive'), 'inactive')
  await service.call('POST', `/scripting/workflows/${workflow}/activation`)
  assert.equal(await waitThere('workflow', String(workflow), '--until', 'active'), 'active')
  await service.call('POST', `/scripting/workflows/${workflow}/execution`, {
    receiver: { type: 'id', value: contact },
    node: 'pause',
  })
  const waiting = JSON.parse(await waitThere('run', String(workflow), '--until', 'waiting', '--json'))
  assert.equal(waiting.node, 'pause')
  assert.equal(await waitThere('run', `${workflow}/${waiting.id}`, '--until', 'waiting'), 'waiting')

  await service.call('POST', '/fields', { type: 'textField', name: 'Note' })
  const criteria = { all: [{ type: 'field', field: 1, operator: 'endsWith', value: '@shop.example' }] }
  const update = { type: 'search', value: { criteria }, fields: { Note: 'new' } }
  const job = await fetch(`${service.url}/targets`, {
    method: 'PUT',
    headers: { 'x-key': KEY, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify(update),
  })
  const accepted = (await job.json()) as { id: string }
  assert.equal(job.status, 202, JSON.stringify(accepted))
  assert.equal(await waitThere('job', accepted.id, '--until', 'done'), 'done')
})
