import assert from 'node:assert/strict'
import { globSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import { prepareService, type Service } from '../../support/processes/process.ts'
import { ageJournals } from '../../support/stages/journals.ts'
import { eventually } from '../../support/wait.ts'

/** What a failed machine may leave of the journals, and how many messages the sink has when it fails. */
const FAILURES: readonly { at: number; lose(dataDir: string, logs: string[]): void }[] = [
  { at: 150, lose: (_, logs) => logs.forEach((log) => void truncateSync(log)) },
  { at: 300, lose: (_, logs) => logs.forEach((log) => void truncateSync(log, 20)) },
  { at: 450, lose: (_, logs) => logs.forEach((log) => void writeFileSync(log, Buffer.alloc(statSync(log).size))) },
  {
    at: 600,
    lose(dataDir, logs) {
      ageJournals(dataDir)
      for (const log of logs) rmSync(log)
    },
  },
]
/** The process alone is killed once more, with so many at the sink: its journals say what had not begun. */
const KILLED_AT = 750
const CONTACTS = 8000
/** More than connections have in hand, and fewer than a batch. */
const AT_MOST_UNDER_WAY = 100

test('a campaign sends to nobody twice though journals are cut, empty, NULs or lost, and a killed process leaves few in doubt', async (t) => {
  const { signal } = t
  const received: string[] = []
  const deaths = [...FAILURES.map(({ at }) => at), KILLED_AT]
  let service: Service | undefined
  const sink = await startSink({
    keep: 'pass',
    // Before the reply to it leaves: the outcome of what is taken now is unknown.
    onMessage({ to }) {
      received.push(...to)
      if (received.length < (deaths[0] ?? Number.POSITIVE_INFINITY)) return
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
  const { database, dataDir, start, ended, call } = prepared
  const countHeld = async (): Promise<number> => {
    const { rows } = await database.pool.query(`select count(*)::integer as n from messages where state = 'held'`)
    return rows[0].n
  }

  await start()
  const { id: source } = await call('POST', '/imports', { name: 'everybody' })
  const file = `Email\n${Array.from({ length: CONTACTS }, (_, n) => `p${n}@failed.example\n`).join('')}`
  const { id: execution } = await call('POST', `/imports/${source}/executions`, file, 'text/csv')
  await eventually(async () => (await call('GET', `/imports/${source}/executions/${execution}`)).state !== 0, signal)
  const everybody = await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })
  await call('PUT', '/settings/sending', { testRequired: false })
  const { id } = await call('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Sale',
    content: { subject: 'Hello', html: '<p>Come in.</p>' },
    scheduler: { type: 'asap', segments: { selected: [everybody.id] } },
  })
  await call('POST', `/actions/${id}/validation`, { fortest: false })
  for (const { lose } of FAILURES) {
    const left = deaths.length
    await eventually(() => deaths.length < left, signal)
    await ended()
    const logs = globSync('journals/*/*.log', { cwd: dataDir }).map((name) => join(dataDir, name))
    assert.ok(logs.length > 0)
    lose(dataDir, logs)
    await start()
  }
  await eventually(() => deaths.length === 0, signal)
  await ended()
  const before = await countHeld()
  await start()
  const { monitor } = await eventually(async () => {
    const shown = await call('GET', `/actions/${id}`)
    return shown.state === 60 && shown
  }, signal)

  const times = Map.groupBy(received, (address) => address)
  for (const [address, list] of times) assert.equal(list.length, 1, `${address} got ${list.length}`)
  const { recipients, sent, held, pending } = monitor
  assert.deepEqual([recipients, sent + held, pending], [CONTACTS, CONTACTS, 0])
  assert.ok(received.length <= CONTACTS && received.length >= sent)
  const after = await countHeld()
  assert.equal(after, held)
  assert.ok(after - before <= AT_MOST_UNDER_WAY, `${after - before} in doubt after the kill of a process`)
  t.diagnostic(`${before} in doubt after ${FAILURES.length} failures, ${after - before} after a kill`)
})
