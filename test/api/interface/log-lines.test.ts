import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { type JobStepsByType, runJob } from '../../../src/features/jobs/run.ts'
import { enqueueTask } from '../../../src/jobs/enqueue.ts'
import { runDueJobs } from '../../../src/jobs/runner.ts'
import { badRequestProblem, overloadedProblem } from '../../../src/lib/errors/problem.ts'
import { createLogger } from '../../../src/log.ts'
import { createJobHandlers } from '../../../src/service/job-handlers.ts'
import { startStage } from '../../support/stages/stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { own } = stage

/** What the service writes into its log. */
const lines: string[] = []
const log = createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
const context = { ...stage.context, log }
const app = await buildApiServer(context, new Registry())
app.get('/busy', { config: { public: true } }, async () => {
  throw overloadedProblem('Too many of them. Try again.')
})
app.get('/away', { config: { public: true } }, async () => {
  throw Object.assign(new Error(''), { code: 'ECONNREFUSED' })
})
await app.ready()
// What a start says, of a console that is not built too.
lines.length = 0

/** Levels of pino. */
const [INFO, WARN] = [30, 40]

const ADDRESS = 'ann.lee@shop.example'
const NAME = 'Ann Lee'
await stage.call('POST', '/fields', { body: { type: 'numeric', name: 'Spent' } })

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any line.
function taken(): any[] {
  const text = lines.splice(0)
  for (const line of text) assert.doesNotMatch(line, /ann\.lee|shop\.example|Ann Lee/i)
  return text.map((line) => JSON.parse(line))
}

/** The first line that has an error. */
const errorOf = (all: ReturnType<typeof taken>) => all.find(({ err }) => err)

const post = (url: string, payload: object) =>
  app.inject({ method: 'POST', url, headers: { 'x-key': own.key }, payload })

/** Has a statement on contacts fail as PostgreSQL fails, with the row in what it says. */
async function whileFailing(constraint: string, work: () => Promise<void>): Promise<void> {
  await context.pool.query(`alter table contacts add constraint clash ${constraint} not valid`)
  try {
    await work()
  } finally {
    await context.pool.query('alter table contacts drop constraint clash')
  }
}

suite('log lines without row data from the database', () => {
  test('a unique violation is logged with its constraint and without the key', async () => {
    const client = await context.pool.connect()
    try {
      await client.query('create temporary table once (address text constraint address_once primary key)')
      await client.query('insert into once values ($1)', [ADDRESS])
      await client
        .query('insert into once values ($1)', [ADDRESS])
        .catch((error) => log.error({ err: error }, 'refused'))
      const [{ err, msg }] = taken()
      assert.deepEqual(
        [msg, err.code, err.constraint, err.table, err.routine, err.message],
        [
          'refused',
          '23505',
          'address_once',
          'once',
          '_bt_check_unique',
          'duplicate key value violates unique constraint "address_once"',
        ],
      )
      assert.ok(err.stack.includes('    at '))
      assert.ok(!('detail' in err))
    } finally {
      client.release(true)
    }
  })

  test("a failed request is logged without the row in the database's message", async () => {
    await whileFailing(`check (key <> '${ADDRESS}')`, async () => {
      const answer = await post('/targets', { Email: ADDRESS })
      assert.deepEqual([answer.statusCode, answer.payload.includes('clash')], [500, false])
    })
    const { err, msg, kind } = errorOf(taken())
    assert.deepEqual([msg, kind, err.code, err.constraint], ['request failed', 'internal', '23514', 'clash'])
  })

  test('overloads and a database that is away are a warning a minute each, without a stack, and say when to come again', async () => {
    taken()
    for (const [url, kind, reason] of [
      ['/busy', 'overloaded', 'Too many of them. Try again.'],
      ['/away', 'unavailable', 'ECONNREFUSED'],
    ]) {
      for (let n = 0; n < 3; n++) {
        const { statusCode, headers } = await app.inject({ url })
        assert.deepEqual([statusCode, headers['retry-after'] !== undefined], [503, true])
      }
      const lines = taken().filter(({ level }) => level > INFO)
      assert.deepEqual(
        lines.map((line) => [line.level, line.msg, line.kind, line.reason, 'err' in line]),
        [[WARN, 'requests refused for now', kind, reason, false]],
      )
    }
  })

  test('a failed job step and a failed queue task are logged without the row', async () => {
    const contact = await stage.contact(ADDRESS)
    await whileFailing(`check (key <> '${ADDRESS}')`, async () => {
      const answer = await app.inject({
        method: 'PUT',
        url: '/targets',
        headers: { 'x-key': own.key, prefer: 'respond-async' },
        payload: { type: 'id', value: [contact], fields: { Spent: 7 } },
      })
      assert.equal(answer.statusCode, 202, answer.payload)
      const { id } = JSON.parse(answer.payload)
      await runJob(context, createJobHandlers(context), { job: id })
    })
    const { err } = errorOf(taken())
    assert.equal(err.constraint, 'clash')

    await enqueueTask(context.db, 'segments.count', { account: own.account, segment: 1 })
    const thrown = Object.assign(new Error(`no room for ${ADDRESS}`), { detail: NAME })
    await runDueJobs(context.pool, log, {
      'segments.count': async () => {
        throw thrown
      },
    })
    const logged = errorOf(taken())
    assert.equal(logged.err.message, 'no room for [address]')
    assert.match(logged.msg, /^Failed task \d+ \(segments\.count/)
  })
})

suite('faults of the client', () => {
  let begun = 0

  /** Begins a request on a socket of its own and goes away before its body is whole; gives its log lines. */
  async function breakOff(head: readonly string[], body: string) {
    const { port } = app.server.address() as AddressInfo
    const known = begun
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write([...head, 'host: stentor.example', `x-key: ${own.key}`, '', body].join('\r\n'))
    await eventually(() => begun !== known)
    socket.resetAndDestroy()
    await eventually(() => lines.some((line) => line.includes('broken-off')))
    return taken()
  }

  before(async () => {
    app.server.on('request', () => begun++)
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => app.close())

  const cases = [
    [
      'JSON with a length',
      'POST /targets HTTP/1.1',
      ['content-type: application/json', 'content-length: 5000'],
      '{"Email":',
    ],
    [
      'JSON in chunks',
      'POST /targets HTTP/1.1',
      ['content-type: application/json', 'transfer-encoding: chunked'],
      '9\r\n{"Email":\r\n',
    ],
    ['a file', 'UPLOAD', ['content-type: text/csv', 'content-length: 5000', 'idempotency-key: file-1'], 'Email\nann'],
    [
      'a form',
      'UPLOAD',
      ['content-type: multipart/form-data; boundary=b', 'content-length: 5000'],
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nEmail\n',
    ],
  ] as const
  for (const [what, line, headers, body] of cases) {
    test(`a client that disconnects while sending ${what} causes no warning`, async () => {
      const { id } = (await stage.call('POST', '/imports', { body: { name: `Import ${what}` } })).body
      const first = line === 'UPLOAD' ? `POST /imports/${id}/executions HTTP/1.1` : line
      taken()
      const logged = (await breakOff([first, ...headers], body)).filter(({ level }) => level >= 30)
      assert.deepEqual(
        logged.map(({ level, msg, err }) => [level, msg, err]),
        [[30, 'the client disconnected before its request was complete', undefined]],
      )
    })
  }

  test('an invalid request in a job causes no warning', async () => {
    const { body } = await stage.call('PUT', '/targets', {
      body: { type: 'id', value: [await stage.contact('job@shop.example')], fields: { Spent: 7 } },
      headers: { prefer: 'respond-async' },
    })
    const mistaken: JobStepsByType = {
      'targets.update': async () => {
        throw badRequestProblem('/fields/Spent', 'must be a number')
      },
    }
    taken()
    await runJob(context, mistaken, { job: body.id })
    const logged = taken().filter(({ level }) => level >= 30)
    assert.deepEqual(
      logged.map(({ level, err, kind, job }) => [level, err, kind, job]),
      [[30, undefined, 'invalid-request', body.id]],
    )
    assert.equal((await stage.call('GET', `/jobs/${body.id}`)).body.state, 'failed')
  })
})
