import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refusing, startSink } from '../../fakes/mail/smtp-sink.ts'
import { KEY, prepareService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const sink = await startSink({ behave: refusing({ 'full@desk.example': '452 4.2.2 mailbox full' }) })
after(() => sink.close())
const { database, url, start, end, call } = await prepareService(
  { after },
  { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none` },
)
await start()

/** Time that a request waits: for its own test, for the test before a validation for production, and for the end of such a validation. */
const [TEST_WAIT_MS, TESTED_WAIT_MS, PRODUCTION_WAIT_MS] = [10_000, 25_000, 5000]

const proof = { fortest: true, mediaForTest: 'proof@desk.example' }

async function makeAction(): Promise<string> {
  const content = { subject: 'Hello', html: '<p>x</p>' }
  const { id } = await call<{ id: string }>('POST', '/actions', { type: 'mailMessage', name: 'Row', content })
  return id
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-key': KEY, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

async function stateOf(id: string): Promise<number> {
  return (await call<{ state: number }>('GET', `/actions/${id}`)).state
}

/** Waits until a request waits for a test: then the last statement of a session is the one by which it looks. */
async function untilOneWaits(): Promise<void> {
  const looking = `select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%state in (30, 35, 36)%'`
  await eventually(async () => (await database.pool.query(looking)).rowCount !== 0)
}

test('test, validation and send requested in a row all succeed', async () => {
  const contact = await call<{ id: string }>('POST', '/targets', { Email: 'row@shop.example' })
  const id = await makeAction()
  /** Asks for a validation that ends in a state. Only on a very busy machine is it answered before, as its wait is over. */
  const validate = async (body: object, state: number, waitMs: number) => {
    const requestedAt = performance.now()
    assert.deepEqual(await post(`/actions/${id}/validation`, body), { status: 204, body: undefined })
    if (performance.now() - requestedAt >= waitMs) await eventually(async () => (await stateOf(id)) === state)
    assert.equal(await stateOf(id), state)
  }
  await validate(proof, 38, TEST_WAIT_MS)
  await validate({ fortest: false }, 50, PRODUCTION_WAIT_MS)
  const sent = await post(`/actions/${id}/execution`, { recipient: { type: 'id', value: contact.id } })
  assert.deepEqual([sent.status, sent.body.type], [200, 'success'])
})

test('a validation waits for a test that was answered immediately', async (t) => {
  const id = await makeAction()
  // No message can be written as long as this holds the table: the test cannot end.
  const holder = await database.pool.connect()
  t.after(() => holder.release(true))
  await holder.query('begin')
  await holder.query('lock table messages in exclusive mode')
  assert.equal((await post(`/actions/${id}/validation`, proof, { prefer: 'wait=0' })).status, 204)
  const validated = post(`/actions/${id}/validation`, { fortest: false })
  await untilOneWaits()
  assert.ok([30, 35, 36].includes(await stateOf(id)))
  await holder.query('rollback')
  assert.equal((await validated).status, 204)
  await eventually(async () => (await stateOf(id)) === 50)
})

test('stopping the service does not wait for requests that wait for a test', async () => {
  const id = await makeAction()
  const late = { fortest: true, mediaForTest: 'full@desk.example' }
  assert.equal((await post(`/actions/${id}/validation`, late, { prefer: 'wait=0' })).status, 204)
  await eventually(async () => (await stateOf(id)) === 36)
  const begun = performance.now()
  const waiting = post(`/actions/${id}/validation`, { fortest: false })
  await untilOneWaits()
  const [answer] = await Promise.all([waiting, end('SIGTERM')])
  assert.ok(performance.now() - begun < TESTED_WAIT_MS, 'the request waited to its end')
  assert.deepEqual([answer.status, answer.body.type], [409, 'urn:stentor:problem:action-state'])
  assert.match(answer.body.detail, /is in state 30 to 36/)
})
