import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refusing, startSink } from '../../fakes/smtp-sink.ts'
import { KEY, prepareService } from '../../support/process.ts'
import { eventually } from '../../support/wait.ts'

const sink = await startSink({ behave: refusing({ 'full@desk.example': '452 4.2.2 mailbox full' }) })
after(() => sink.close())
const { database, url, start, end, call } = await prepareService(
  { after },
  { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none` },
)
await start()

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

test('test, validation and send requested in a row all succeed', async () => {
  const contact = await call<{ id: string }>('POST', '/targets', { Email: 'row@shop.example' })
  const id = await makeAction()
  assert.deepEqual(await post(`/actions/${id}/validation`, proof), { status: 204, body: undefined })
  assert.equal(await stateOf(id), 38)
  assert.deepEqual(await post(`/actions/${id}/validation`, { fortest: false }), { status: 204, body: undefined })
  const sent = await post(`/actions/${id}/execution`, { recipient: { type: 'id', value: contact.id } })
  assert.deepEqual([sent.status, sent.body.type], [200, 'success'])
})

test('a validation waits for a test that was answered immediately', async () => {
  const id = await makeAction()
  assert.equal((await post(`/actions/${id}/validation`, proof, { prefer: 'wait=0' })).status, 204)
  assert.notEqual(await stateOf(id), 38)
  assert.equal((await post(`/actions/${id}/validation`, { fortest: false })).status, 204)
  assert.equal(await stateOf(id), 50)
})

test('stopping the service does not wait for requests that wait for a test', async () => {
  const id = await makeAction()
  const late = { fortest: true, mediaForTest: 'full@desk.example' }
  assert.equal((await post(`/actions/${id}/validation`, late, { prefer: 'wait=0' })).status, 204)
  await eventually(async () => (await stateOf(id)) === 36)
  const waiting = post(`/actions/${id}/validation`, { fortest: false })
  // Until the last statement of a session is the one by which a request waits for a test.
  const looking = `select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like '%state in (30, 35, 36)%'`
  await eventually(async () => (await database.pool.query(looking)).rowCount !== 0)
  const begun = performance.now()
  const [answer] = await Promise.all([waiting, end('SIGTERM')])
  assert.ok(performance.now() - begun < 8000, 'the stop waited')
  assert.deepEqual([answer.status, answer.body.type], [409, 'urn:stentor:problem:action-state'])
  assert.match(answer.body.detail, /is in state 30 to 36/)
})
