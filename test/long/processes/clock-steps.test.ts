import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { findFreePort } from '../../../src/lib/net/free-port.ts'
import { holdLostMessages } from '../../../src/sending/recover/hold-lost-messages.ts'
import { startSink } from '../../fakes/mail/smtp-sink.ts'
import {
  makeShiftedClock,
  NO_SHIFTED_CLOCK,
  type ShiftedClock,
  startShiftedDatabase,
} from '../../fakes/shifted-clock.ts'
import { makeService } from '../../support/processes/process.ts'
import { eventually } from '../../support/wait.ts'

/** Two parts of the plan, so that much is to be planned and claimed when a clock steps. */
const CONTACTS = 6000
const STEPS_AT = 500
const HOUR = 3_600_000

/** A service, its database and its relay, each with a clock that can be shifted. */
async function startShifted(t: TestContext) {
  const clocks = { machine: await makeShiftedClock(), database: await makeShiftedClock() }
  const received: string[] = []
  const events: { onStep?: () => void } = {}
  const sink = await startSink({
    keep: 'pass',
    // What is deferred before the step is tried again after it.
    behave: ({ stage, address, attempt }) =>
      stage === 'rcpt' && attempt === 1 && address.startsWith('later') ? { code: 451, text: 'later' } : undefined,
    onMessage({ to }) {
      received.push(...to)
      if (received.length < STEPS_AT) return
      events.onStep?.()
      delete events.onStep
    },
  })
  const database = await startShiftedDatabase(clocks.database)
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-clocks-'))
  const metricsPort = await findFreePort()
  const service = await makeService(
    {
      STENTOR_DATA_DIR: dataDir,
      STENTOR_DATABASE_URL: database.url,
      STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`,
      STENTOR_SENDER_THREADS: '2',
      STENTOR_METRICS_PORT: String(metricsPort),
      STENTOR_LOG_LEVEL: 'warn',
      ...clocks.machine.environment,
    },
    t.signal,
  )
  const admin = openDatabasePool(database.url, { max: 1, applicationName: 'test' })
  t.after(async () => {
    await service.end('SIGTERM')
    await admin.close()
    await database.stop()
    await Promise.all([sink.close(), clocks.machine.remove(), clocks.database.remove()])
    await rm(dataDir, { recursive: true, force: true })
  })
  await service.start()
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return { ...service, clocks, received, events, admin, metrics }
}

type Shifted = Awaited<ReturnType<typeof startShifted>>

/** Imports the contacts; a few of them are deferred at first. Gives the segment of all. */
async function importContacts({ call }: Shifted, signal: AbortSignal): Promise<number> {
  const { id: source } = await call('POST', '/imports', { name: 'everybody' })
  const addresses = Array.from({ length: CONTACTS }, (_, n) => `${n < 20 ? 'later' : 'p'}${n}@clocks.example`)
  const { id: execution } = await call(
    'POST',
    `/imports/${source}/executions`,
    `Email\n${addresses.join('\n')}\n`,
    'text/csv',
  )
  await eventually(async () => (await call('GET', `/imports/${source}/executions/${execution}`)).state !== 0, signal)
  await call('PUT', '/settings/sending', { testRequired: false })
  return (await call('POST', '/segments', { type: 'dynamic', name: 'Everybody', criteria: { all: [] } })).id
}

/** Sends a campaign to all, in the midst of which something happens; gives how it ended, once it has. */
async function sendCampaign(
  { call, received, events }: Shifted,
  segment: number,
  { onStep, signal }: { onStep(): void; signal: AbortSignal },
) {
  received.length = 0
  let hasStepped = false
  events.onStep = () => {
    onStep()
    hasStepped = true
  }
  const { id } = await call('POST', '/actions', {
    type: 'mailCampaign',
    name: 'Sale',
    content: { subject: 'Hello', html: '<p>Come in.</p>' },
    scheduler: { type: 'asap', segments: { selected: [segment] } },
  })
  await call('POST', `/actions/${id}/validation`, { fortest: false })
  const { monitor } = await eventually(async () => {
    const shown = await call('GET', `/actions/${id}`)
    return shown.state === 60 && shown
  }, signal)
  assert.ok(hasStepped)
  const { recipients, sent, held, cancelled, refused, pending } = monitor
  assert.deepEqual(
    { recipients, sent, held, cancelled, refused, pending },
    { recipients: CONTACTS, sent: CONTACTS, held: 0, cancelled: 0, refused: 0, pending: 0 },
  )
  const times = Map.groupBy(received, (address) => address)
  assert.equal(received.length, CONTACTS)
  assert.equal(times.size, CONTACTS)
}

/** Whether steps of a clock in a direction were counted so often. */
const counted = async ({ metrics }: Shifted, clock: string, direction: string): Promise<number> =>
  Number(
    new RegExp(`^stentor_clock_steps_total\\{clock="${clock}",direction="${direction}"\\} (\\d+)$`, 'm').exec(
      await metrics(),
    )?.[1] ?? 0,
  )

const shiftAll = (clocks: readonly ShiftedClock[], ms: number): void => {
  for (const clock of clocks) clock.shift(ms)
}

test('a campaign goes on when the clock of the service, of the database or of both steps an hour back or forward', {
  skip: NO_SHIFTED_CLOCK,
}, async (t) => {
  const { signal } = t
  const shifted = await startShifted(t)
  const { machine, database } = shifted.clocks
  const segment = await importContacts(shifted, signal)
  const until = (clock: string, direction: string, times: number) =>
    eventually(async () => (await counted(shifted, clock, direction)) === times, signal)

  await t.test('back, of the service', async () => {
    await sendCampaign(shifted, segment, { onStep: () => machine.shift(-HOUR), signal })
    await until('machine', 'back', 1)
    assert.match(shifted.log(), /a clock stepped/)
  })
  await t.test('back, of the database', async () => {
    await sendCampaign(shifted, segment, { onStep: () => database.shift(-HOUR), signal })
    await until('database', 'back', 1)
  })
  await t.test('back, of both', async () => {
    await sendCampaign(shifted, segment, { onStep: () => shiftAll([machine, database], -2 * HOUR), signal })
    await until('machine', 'back', 2)
    await until('database', 'back', 2)
  })
  await t.test('forward, of both, and nothing is taken from a sender that lives', async () => {
    const lost: Promise<number>[] = []
    const onStep = (): void => {
      shiftAll([machine, database], -HOUR)
      // As the housekeeping does each minute, while messages are on their way.
      lost.push(holdLostMessages(shifted.admin.db, new Date(Date.now() + HOUR)))
    }
    await sendCampaign(shifted, segment, { onStep, signal })
    assert.deepEqual(await Promise.all(lost), [0])
    await until('machine', 'forward', 1)
    await until('database', 'forward', 1)
  })
})
