import assert from 'node:assert/strict'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { checkDiskForecast, forecastDiskUsage } from '../../../src/cli/doctor/doctor-disk.ts'
import { checkServiceWork } from '../../../src/cli/doctor/doctor-work.ts'
import { loadMachineId } from '../../../src/lib/machine-id.ts'
import { recordDiskSample } from '../../../src/sending/senders/disk-samples.ts'
import { recordSenderMachine } from '../../../src/sending/senders/machines.ts'
import { startStage } from '../../support/stages/stage.ts'

const { clock, context, contact, segment, planned, sendDue, own } = await startStage()
const { config, db, pool } = context

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const GIB = 1024 ** 3

const work = (isServing = false, settings = config) =>
  checkServiceWork({ config: settings, db, now: new Date(clock.now()) }, isServing)

/** What is said of a subject. */
async function saidOf(subject: string): Promise<[ok: boolean, seen: string][]> {
  return (await work()).filter((finding) => finding.subject === subject).map(({ ok, seen }) => [ok, seen])
}

suite('doctor on the work of an installation', () => {
  test('says that nothing is overdue, held or growing where nothing is', async () => {
    assert.deepEqual(
      (await work()).map(({ subject, ok, seen }) => [subject, ok, seen]),
      [
        ['sending', true, '0 senders are running; nothing is overdue'],
        ['receiving', true, 'not checked: no service is running here'],
        ['held', true, 'nothing'],
        ['backlog', true, 'nothing'],
      ],
    )
  })

  test('names messages that were due for ten minutes and not tried, until they are sent', async () => {
    const contacts = await Promise.all([1, 2, 3, 4].map((n) => contact(`doctor${n}@work.example`)))
    await planned(await segment(contacts), 3)
    clock.advance(9 * MINUTE_MS)
    assert.deepEqual(await saidOf('sending'), [[true, '0 senders are running; nothing is overdue']])
    clock.advance(2 * MINUTE_MS)
    const [[ok, seen]] = (await saidOf('sending')) as [[boolean, string]]
    assert.equal(ok, false)
    assert.match(seen, /^0 senders are running; due messages not attempted: \d, the oldest for 11 min$/)
    await sendDue()
    assert.deepEqual(await saidOf('sending'), [[true, '0 senders are running; nothing is overdue']])
  })

  test('says nothing of messages that a pause or a pace lets wait', async () => {
    const contacts = await Promise.all([5, 6].map((n) => contact(`doctor${n}@work.example`)))
    await planned(await segment(contacts), 3)
    clock.advance(11 * MINUTE_MS)
    await pool.query('update sendings set paused = true where ended_at is null')
    assert.deepEqual((await saidOf('sending'))[0]?.[0], true)
    await pool.query('update sendings set paused = false, speed = 1 where ended_at is null')
    assert.deepEqual((await saidOf('sending'))[0]?.[0], true)
    await pool.query('update sendings set speed = 0 where ended_at is null')
    assert.deepEqual((await saidOf('sending'))[0]?.[0], false)
    await sendDue()
  })

  test('names the account whose messages are held', async () => {
    await planned(await segment([await contact('doctor7@work.example')]), 1)
    await pool.query(
      `insert into messages (account, lane, channel, kind, version, contact, address, stamp, thread, set, stamp_time, state, not_before,
         expires_at, created_at, held_at, sending)
       select account, lane, channel, 'campaign', version, 1, 'a@b.example', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
         now(), 'held', now(), now(), now(), now(), id from sendings order by id desc limit 1`,
    )
    assert.deepEqual(await saidOf('held'), [[false, `messages with an unknown outcome in ${own.code}: 1`]])
    await pool.query(`delete from messages where state = 'held'`)
    await sendDue()
  })

  test('names events, jobs and hits that nobody has taken for ten minutes', async (t) => {
    const late = new Date(clock.now() - 11 * MINUTE_MS)
    await pool.query(
      `insert into listener_queue (account, kind, part, event, depth, queued_at) values ($1, 'webhook', 0, gen_random_uuid(), 0, $2)`,
      [own.account, late],
    )
    await pool.query('delete from graphile_worker._private_jobs')
    await pool.query(`select graphile_worker.add_job('none', run_at => $1)`, [late])
    const hit = join(config.dataDir, 'spool', 'late.jsonl')
    await mkdir(join(config.dataDir, 'spool'), { recursive: true })
    await writeFile(hit, 'x'.repeat(2000))
    await utimes(hit, late, late)
    t.after(() => rm(hit))
    assert.deepEqual(await saidOf('backlog'), [
      [false, 'events waiting for webhooks, workflows or other consumers: 1, the oldest for 11 min'],
      [false, 'jobs waiting: 1, the oldest for 11 min'],
      [false, 'hits and emails waiting on disk: 2 KiB'],
    ])
  })
})

/** A listener that greets with a line; gives its port. */
async function listenerOf(t: TestContext, greeting: string): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(greeting))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as { port: number }).port
}

test('doctor asks the listener of mails for its greeting where a service runs', async (t) => {
  const receiving = async (port: number) => {
    const found = await work(true, { ...config, smtpInHost: '127.0.0.1', smtpInPort: port })
    const { ok, seen } = found.find(({ subject }) => subject === 'receiving')!
    return [ok, seen.replaceAll(String(port), 'PORT')]
  }
  const greets = await listenerOf(t, '220 mail.example ESMTP\r\n')
  assert.deepEqual(await receiving(greets), [true, 'the listener accepts email at 127.0.0.1:PORT'])
  const refuses = await listenerOf(t, '421 busy\r\n')
  assert.deepEqual(await receiving(refuses), [false, 'the listener responds "421 busy" at 127.0.0.1:PORT'])
  const silent = await listenerOf(t, '')
  assert.deepEqual(await receiving(silent), [false, 'no listener responds at 127.0.0.1:PORT'])
  assert.deepEqual(await receiving(0), [true, 'not checked: the listener uses any free port'])
})

suite('doctor on the disk of next week', () => {
  const at = (days: number, gib: number) => ({ takenAt: new Date(days * DAY_MS), freeBytes: gib * GIB })

  test('judges by what was taken since the oldest sample of a week', () => {
    assert.equal(forecastDiskUsage(undefined, at(0, 1)), undefined)
    assert.equal(forecastDiskUsage(at(0, 100), at(0.9, 1)), undefined)
    const said = (before: ReturnType<typeof at>, now: ReturnType<typeof at>) => {
      const { ok, seen } = forecastDiskUsage(before, now)!
      return [ok, seen]
    }
    assert.deepEqual(said(at(0, 100), at(5, 50)), [
      false,
      '50.0 GiB used in the last 5 days; at that rate, it is full in 5 days',
    ])
    assert.deepEqual(said(at(0, 100), at(1, 87)), [
      false,
      '13.0 GiB used in the last day; at that rate, it is full in 6 days',
    ])
    assert.deepEqual(said(at(0, 100), at(7, 90)), [
      true,
      '10.0 GiB used in the last 7 days; at that rate, it is full in 63 days',
    ])
    assert.deepEqual(said(at(0, 100), at(3, 110)), [true, 'nothing used in the last 3 days'])
  })

  test('keeps one sample a day and machine, for a week', async () => {
    const machine = loadMachineId(config.dataDir)
    const day = (n: number) => new Date(Date.UTC(2027, 0, n, 12))
    await recordSenderMachine(db, { id: machine, host: 'here', directory: config.dataDir }, day(1))
    for (let n = 1; n <= 10; n++)
      for (const freeBytes of [2 ** 50 - n, 1]) await recordDiskSample(db, machine, { takenAt: day(n), freeBytes })
    const { rows } = await pool.query('select day, free_bytes from disk_samples order by day')
    assert.deepEqual(
      rows.map(({ free_bytes }) => 2 ** 50 - Number(free_bytes)),
      [3, 4, 5, 6, 7, 8, 9, 10],
    )
    const [finding] = await checkDiskForecast(config, db, day(10))
    assert.equal(finding?.ok, false)
    assert.match(finding?.seen ?? '', /used in the last 7 days; at that rate, it is full in 0 days$/)
    assert.deepEqual(await checkDiskForecast(config, db, day(30)), [])
  })
})
