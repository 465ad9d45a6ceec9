import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { prepareService, type Service } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

const CONTACTS = 3000
const SHARE = 10
const HOLDOUT = 5
/** The process is killed again as the sink has taken so many of the rest. */
const KILLED_AT = [1, 900]

const addressOf = (n: number): string => `p${n}@decided.example`

test("a process killed during an experiment's decision and the remaining sends loses nothing and sends nothing twice", async (t) => {
  const { signal } = t
  const received: { address: string; subject: string }[] = []
  const deaths = [...KILLED_AT]
  let service: Service | undefined
  let isDecided = false
  let ofRest = 0
  const sink = await startSink({
    keep: 'pass',
    onMessage({ to, bytes }) {
      const subject = /^Subject: (.*)$/m.exec(String(bytes))?.[1]?.trim() ?? ''
      received.push(...to.map((address) => ({ address, subject })))
      if (!isDecided || ++ofRest !== deaths[0]) return
      deaths.shift()
      service?.signal('SIGKILL')
    },
  })
  t.after(() => sink.close())
  const prepared = await prepareService(t, { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none` })
  service = prepared
  const { database, start, ended, kill, call, ask } = prepared

  await start()
  const { id: source } = await call('POST', '/imports', { name: 'everybody' })
  const file = `Email\n${Array.from({ length: CONTACTS }, (_, n) => `${addressOf(n)}\n`).join('')}`
  const { id: execution } = await call('POST', `/imports/${source}/executions`, file, 'text/csv')
  await eventually(async () => (await call('GET', `/imports/${source}/executions/${execution}`)).state !== 0, signal)
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  await call('PUT', '/settings/sending', { testRequired: false })
  const versions = [
    { id: 'a', share: SHARE, subject: 'Version A' },
    { id: 'b', share: SHARE, subject: 'Version B' },
  ]
  const decideAfter = { unit: 'HOUR', value: 1 }
  const { id } = await call('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Sale',
    content: { subject: 'Hello', html: '<p>Come in.</p>' },
    settings: { experiment: { versions, holdout: HOLDOUT, metric: 'clicks', decideAfter, decide: 'ask' } },
    scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
  })
  await call('POST', `/actions/${id}/validation`, { fortest: false })
  const experiment = () => call('GET', `/actions/${id}/experiment`)
  const measuring = await eventually(async () => {
    const shown = await experiment()
    return shown.state === 'measuring' && shown
  }, signal)
  const shares = received.length
  const { waiting, holdout } = measuring
  assert.equal(shares + waiting + holdout.contacts, CONTACTS)

  // In the middle of the decision: a lock keeps it from its end, until the process is gone.
  const locker = await database.pool.connect()
  await locker.query('begin')
  await locker.query('select from message_slices where claimed_by is null order by id desc limit 1 for update')
  const cut = ask('POST', `/actions/${id}/experiment/decision`, { version: 'a' }).catch(() => undefined)
  await eventually(async () => {
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]!.n > 0
  }, signal)
  await kill()
  await cut
  await locker.query('rollback')
  locker.release()
  await start()
  assert.deepEqual(
    [(await experiment()).state, (await experiment()).waiting, received.length],
    ['measuring', waiting, shares],
  )

  // As the first of the rest is taken, and once more in its midst.
  isDecided = true
  const answer = await ask('POST', `/actions/${id}/experiment/decision`, { version: 'b' }).catch(() => undefined)
  if (answer) assert.equal(answer.status, 200)
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

  const recipients = CONTACTS - holdout.contacts
  const { sent, held, cancelled, refused, pending } = monitor
  assert.deepEqual([monitor.recipients, sent + held, cancelled, refused, pending], [recipients, recipients, 0, 0, 0])
  const times = Map.groupBy(received, ({ address }) => address)
  for (const [address, list] of times) assert.equal(list.length, 1, `${address} got ${list.length}`)
  const subjects = received.slice(shares).map(({ subject }) => subject)
  assert.deepEqual([...new Set(subjects)], ['Version B'])
  // Those in doubt may have arrived or not; nobody else is missing.
  assert.ok(times.size <= recipients && times.size >= recipients - held, `${times.size} of ${recipients}, ${held} held`)
  const over = await experiment()
  assert.deepEqual([over.state, over.decision.version, over.decision.by, over.waiting], ['decided', 'b', 'person', 0])
  assert.equal((await ask('POST', `/actions/${id}/experiment/decision`, { version: 'a' })).status, 409)
  t.diagnostic(`${held} of ${recipients} in doubt`)
})
