import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../../fakes/web/otlp-receiver.ts'
import {
  FROM_SOURCE,
  KEY,
  type PreparedService,
  prepareService,
  type Scope,
  type Settings,
} from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 900
const MODULE_LOG = new URL('../../fakes/module-log.ts', import.meta.url).href
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const SECRET = 'hush-hush'

/** A service that sends to a sink, with what else it is given. */
async function prepareSending(scope: Scope, settings: Settings): Promise<PreparedService & { received: Set<string> }> {
  const received = new Set<string>()
  const sink = await startSink({
    keep: 'pass',
    onMessage({ to }) {
      for (const address of to) received.add(address)
    },
  })
  scope.after(() => sink.close())
  const service = await prepareService(scope, {
    STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    STENTOR_LOG_LEVEL: 'info',
    ...settings,
  })
  return { ...service, received }
}

/** Imports contacts and sends them a campaign, up to its end; gives the action. */
async function sendCampaign({ call, received }: Awaited<ReturnType<typeof prepareSending>>, signal: AbortSignal) {
  const { id: source } = await call('POST', '/imports', { name: 'everybody' })
  const file = `Email\n${Array.from({ length: CONTACTS }, (_, n) => `p${n}@traced.example\n`).join('')}`
  const { id: execution } = await call('POST', `/imports/${source}/executions`, file, 'text/csv')
  await eventually(async () => (await call('GET', `/imports/${source}/executions/${execution}`)).state === 1, signal)
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  await call('PUT', '/settings/sending', { testRequired: false })
  const { id } = await call('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Sale',
    content: { subject: 'A subject of ours', html: '<p>Come in.</p>' },
    scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
  })
  await call('POST', `/actions/${id}/validation`, { fortest: false })
  await eventually(async () => (await call('GET', `/actions/${id}`)).state === 60, signal)
  assert.equal(received.size, CONTACTS)
  return id
}

const named = ({ spans }: OtlpReceiver, name: string): ReceivedSpan[] => spans.filter((span) => span.name === name)

const countOf = (spans: readonly ReceivedSpan[]): number =>
  spans.reduce((sum, { attributes }) => sum + Number(attributes['messaging.batch.message_count']), 0)

/** The parent of a span, which was received too, and which it is within. */
function parentOf({ spans }: OtlpReceiver, { trace, parent, start, name }: ReceivedSpan): ReceivedSpan {
  const found = spans.find((span) => span.id === parent && span.trace === trace)
  assert.ok(found, `${name} has no parent`)
  // Begins are read to the millisecond.
  assert.ok(start + 2_000_000n >= found.start, `${name} begins before its parent`)
  return found
}

suite('traces', () => {
  test('of a campaign and a workflow are exported with their parents and no personal data', async (t) => {
    const receiver = await startOtlpReceiver()
    const called: (string | undefined)[] = []
    const desk = createServer((request, response) => {
      called.push(request.url)
      response.end('{}')
    })
    const deskPort = await findFreePort()
    desk.listen(deskPort, 'localhost')
    t.after(async () => {
      desk.close()
      await receiver.close()
    })
    const service = await prepareSending(t, {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=from-the-environment',
      OTEL_SERVICE_NAME: 'mailer',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      STENTOR_OUTGOING_ALLOW: `localhost:${deskPort}`,
    })
    await service.start()
    await sendCampaign(service, t.signal)
    const headers = { 'x-key': KEY, traceparent: `00-${TRACE}-${CALLER}-01` }
    await fetch(`${service.url}/targets?unicity=p1@traced.example&note=${SECRET}`, { headers })
    await fetch(`${service.url}/targets`, { headers: { ...headers, 'x-key': 'unknown' } })
    const nodes = [
      {
        id: 'ask',
        type: 'request',
        default: true,
        next: 'end',
        settings: { url: `http://localhost:${deskPort}/${SECRET}`, into: 'answer' },
      },
      { id: 'end', type: 'terminal', settings: { outcome: 'ok' } },
    ]
    const scripting = { environment: { http: { allow: [`http://localhost:${deskPort}`] } } }
    const { id: workflow } = await service.call('POST', '/scripting/workflows', { name: 'Asks', nodes, scripting })
    await service.call('POST', `/scripting/workflows/${workflow}/activation`)
    await service.call('POST', `/scripting/workflows/${workflow}/execution`, {})
    await eventually(() => called.length > 0, t.signal)
    const statistics = () => service.call('GET', `/scripting/workflows/${workflow}/runs`)
    await eventually(async () => (await statistics())[0]?.status === 'completed', t.signal)
    const { status } = await service.end('SIGTERM')
    assert.equal(status, 0)

    await t.test('requests are named by route and join the trace of an authenticated caller', () => {
      const [followed] = receiver.spans.filter(({ trace }) => trace === TRACE)
      assert.ok(followed)
      const { name, parent, kind, attributes } = followed
      assert.deepEqual([name, parent, kind], ['GET /targets', CALLER, 2])
      assert.deepEqual(attributes, {
        'http.request.method': 'GET',
        'url.scheme': 'http',
        'http.response.status_code': 200,
        'http.route': '/targets',
        'stentor.account': attributes['stentor.account']!,
      })
      assert.equal(receiver.spans.filter(({ trace }) => trace === TRACE).length, 1)
      const refused = named(receiver, 'GET /targets').find((span) => span.trace !== TRACE)
      assert.deepEqual([refused?.attributes['http.response.status_code'], refused?.parent], [401, ''])
      const validation = named(receiver, 'POST /actions/:id/validation')
      assert.deepEqual([validation.length, validation[0]?.attributes['http.response.status_code']], [1, 204])
      assert.equal(receiver.spans.filter(({ name: own }) => own.includes('/health')).length, 0)
    })

    await t.test('batches contain claiming, preparing, sending and composing', () => {
      const batches = named(receiver, 'batch').filter(({ attributes }) => attributes['stentor.lane'] === 'bulk')
      assert.equal(countOf(batches), CONTACTS)
      for (const batch of batches) assert.deepEqual([batch.parent, batch.kind], ['', 5])
      for (const [name, above] of [
        ['claim', 'batch'],
        ['prepare', 'batch'],
        ['send', 'batch'],
        ['compose', 'send'],
      ] as const) {
        const own = named(receiver, name)
        assert.ok(own.length >= batches.length, name)
        for (const span of own) {
          const parent = parentOf(receiver, span)
          assert.equal(parent.name, above)
          assert.ok(span.end >= span.start)
        }
      }
      for (const name of ['send', 'compose']) assert.equal(countOf(named(receiver, name)), CONTACTS, name)
      const [send] = named(receiver, 'send')
      assert.deepEqual([send?.kind, send?.attributes['messaging.operation.type']], [3, 'send'])
    })

    await t.test('jobs and workflow steps with their calls are traced', () => {
      for (const job of ['imports.run', 'campaigns.plan']) {
        const [span] = named(receiver, `job ${job}`)
        assert.deepEqual([span?.parent, span?.attributes['messaging.destination.name']], ['', job])
      }
      const steps = named(receiver, 'step')
      assert.ok(steps.length >= 2)
      for (const step of steps) {
        assert.equal(parentOf(receiver, step).name, 'workflow runs')
        assert.deepEqual(step.attributes['stentor.workflows'], [workflow])
      }
      const [call] = named(receiver, 'call request')
      assert.ok(call)
      assert.equal(parentOf(receiver, call).name, 'workflow runs')
      assert.deepEqual([call.kind, call.attributes['stentor.workflow.node']], [3, 'ask'])
    })

    await t.test('spans carry the names and headers from the environment', () => {
      const [{ resource } = { resource: {} as Record<string, unknown> }] = receiver.spans
      assert.deepEqual([resource['service.name'], resource['deployment.environment.name']], ['mailer', 'test'])
      assert.ok(receiver.headers.length > 0)
      for (const own of receiver.headers) assert.equal(own['x-token'], 'from-the-environment')
    })

    await t.test('spans contain no addresses, contents, keys, queries or paths', () => {
      const told = JSON.stringify(receiver.spans, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      for (const personal of ['traced.example', 'p1@', 'A subject', 'Come in', KEY, SECRET, 'unknown"'])
        assert.ok(!told.includes(personal), personal)
    })
  })

  test('an unavailable receiver does not affect sending and is logged at most once by each thread', async (t) => {
    const port = await findFreePort()
    const service = await prepareSending(t, {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    })
    await service.start()
    await sendCampaign(service, t.signal)
    const failures = () =>
      service
        .log()
        .split('\n')
        .filter((line) => line.includes('traces are not exported'))
    await eventually(() => failures().length > 0, t.signal)
    const { status } = await service.end('SIGTERM')
    assert.equal(status, 0)
    // Of the main thread and of that of the sender.
    assert.ok(failures().length <= 2, failures().join('\n'))
  })

  test('no OpenTelemetry module is loaded in any thread unless tracing is configured', async (t) => {
    /** What of tracing a service has loaded when it has started. */
    const loaded = async (settings: Settings): Promise<string[]> => {
      const service = await prepareService(
        t,
        { NODE_OPTIONS: `--import=${MODULE_LOG}`, [FROM_SOURCE]: '1', ...settings },
        (dataDir) => ({
          STENTOR_TEST_MODULES: join(dataDir, 'modules'),
        }),
      )
      await service.start()
      const modules = await eventually(async () => {
        const lines = (await readFile(join(service.dataDir, 'modules'), 'utf8')).split('\n')
        return lines.some((line) => line.endsWith('/sending/senders/lane-watch.ts')) && lines
      }, t.signal)
      await service.end('SIGTERM')
      // What counts figures loads the interface of OpenTelemetry, which does nothing.
      return modules.filter((url) => /@opentelemetry\/(?!api\/)|tracing-otlp/.test(url))
    }
    assert.deepEqual(await loaded({}), [])
    // A receiver that is named and switched off is none.
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    assert.deepEqual(await loaded({ ...endpoint, OTEL_SDK_DISABLED: 'true' }), [])
    assert.ok((await loaded(endpoint)).some((url) => url.includes('/sdk-trace/')))
  })
})
