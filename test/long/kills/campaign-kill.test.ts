import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { prepareService, type Service } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

/** Three slices of the plan. */
const CONTACTS = 12_000
/** The process is killed as the sink takes these. */
const KILLED_AT = [700, 4100, 8300]

const addressOf = (n: number): string => `p${n}@killed.example`

test('a campaign whose process is repeatedly killed sends once to each contact or holds the message as doubtful', async (t) => {
  const { signal } = t
  const received: string[] = []
  const deaths = [...KILLED_AT]
  let service: Service | undefined
  let isArmed = false
  const sink = await startSink({
    keep: 'pass',
    // Before the reply to it leaves: the outcome of what is taken now is unknown.
    onMessage({ to }) {
      received.push(...to)
      if (!isArmed || received.length < (deaths[0] ?? Number.POSITIVE_INFINITY)) return
      deaths.shift()
      service?.signal('SIGKILL')
    },
  })
  t.after(() => sink.close())
  const prepared = await prepareService(t, {
    STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
    STENTOR_SENDER_THREADS: '2',
  })
  service = prepared
  const { database, start, ended, kill, call } = prepared

  await start()
  const { id: source } = await call('POST', '/imports', { name: 'everybody' })
  const file = `Email\n${Array.from({ length: CONTACTS }, (_, n) => `${addressOf(n)}\n`).join('')}`
  const { id: execution } = await call('POST', `/imports/${source}/executions`, file, 'text/csv')
  await eventually(async () => (await call('GET', `/imports/${source}/executions/${execution}`)).state !== 0, signal)
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  await call('PUT', '/settings/sending', { testRequired: false })
  const { id } = await call('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Sale',
    content: { subject: 'Hello {{ contact.Email }}', html: '<p>Come in.</p>' },
    scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
  })

  await call('POST', `/actions/${id}/validation`, { fortest: false })
  // Once while it is planned, at whatever place: some of it may have left already.
  await eventually(async () => (await call('GET', `/actions/${id}`)).monitor.recipients > 0, signal)
  await kill()
  // Who comes later is none of the audience.
  const clients = await database.pool.query<{ n: number }>('select count(*)::integer as n from contacts')
  assert.equal(clients.rows[0]?.n, CONTACTS)
  await start()
  await call('PUT', '/targets', [{ Email: 'latecomer@killed.example' }])
  isArmed = true
  while (deaths.length > 0) {
    const left = deaths.length
    await eventually(() => deaths.length < left, signal)
    await ended()
    await start()
  }
  const { monitor } = await eventually(async () => {
    const shown = await call('GET', `/actions/${id}`)
    return shown.state === 60 && shown
  }, signal)

  const { recipients, sent, held, cancelled, refused, pending } = monitor
  assert.deepEqual([recipients, sent + held, cancelled, refused, pending], [CONTACTS, CONTACTS, 0, 0, 0])
  const times = Map.groupBy(received, (address) => address)
  for (const [address, list] of times) assert.equal(list.length, 1, `${address} got ${list.length}`)
  const { rows } = await database.pool.query<{ email: string }>(
    `select c.key as email from messages m join contacts c on c.id = m.contact where m.state = 'held'`,
  )
  const doubtful = new Set(rows.map(({ email }) => email))
  assert.equal(doubtful.size, held)
  for (let n = 0; n < CONTACTS; n++) {
    const address = addressOf(n)
    assert.ok(times.has(address) || doubtful.has(address), `${address} has no message and is not held`)
  }
  assert.ok(!times.has('latecomer@killed.example'))
  // What connections had in hand when the process died, and no more.
  assert.ok(held <= 100 * (KILLED_AT.length + 1), `${held} in doubt`)
  const activations: number = await database.pool
    .query<{ n: number }>(`select count(*)::integer as n from events where kind = 'activations'`)
    .then((result) => result.rows[0]?.n ?? 0)
  assert.equal(activations, sent)
  t.diagnostic(`${held} of ${CONTACTS} in doubt after ${KILLED_AT.length + 1} kills`)
})
