import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, suite, test } from 'node:test'
import { Registry } from 'prom-client'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { enqueueTask } from '../../../src/jobs/enqueue.ts'
import {
  findRetryableTasks,
  listBackoffSubjects,
  listTaskFailures,
  runEachIsolated,
  runIsolated,
  runTaskParts,
  shareFailureTracking,
  trackTaskFailures,
} from '../../../src/jobs/failures.ts'
import { startPeriodicTask } from '../../../src/jobs/periodic.ts'
import { startJobRunner } from '../../../src/jobs/runner.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { startHarness } from '../../support/harness.ts'
import { runProgram } from '../../support/processes/process.ts'
import { makePerson, signedIn } from '../../support/stages/people.ts'
import { eventually } from '../../support/wait.ts'

const harness = await startHarness()
const { call, clock, own } = harness
const { db, pool, log } = harness.context
const url = String(pool.options.connectionString)
const HOUR_MS = 3_600_000
const NEVER = new AbortController().signal
const broken = new Error('time zone "Europe/Atlantis" not recognized')
const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const fail = async (): Promise<never> => {
  throw broken
}

/** A handle as a process of its own has it. */
async function startProcess() {
  const connected = openDatabasePool(url, { max: 3 })
  after(() => connected.close())
  const registry = new Registry()
  const lines: object[] = []
  const counted = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('stentor_'))
  const taken = { error: (details: object) => void lines.push(details) }
  await trackTaskFailures(connected.db, { clock, log: taken as never, registry })
  return { db: connected.db, counted, lines }
}

beforeEach(() => db.deleteFrom('task_failures').execute())

suite('a task that fails alone', () => {
  test('stops no other part, account or row, and is logged, counted by name and listed', async () => {
    const { db: process, counted, lines } = await startProcess()
    const ran: string[] = []
    const work = async (name: string) => {
      ran.push(name)
      if (name.startsWith('bad')) throw broken
    }
    await runTaskParts(
      process,
      { first: () => work('first'), growth: () => work('bad'), last: () => work('last') },
      NEVER,
    )
    const worked = await runEachIsolated(process, 'plan', ['one', 'bad two', 'three'], {
      subjectOf: (name) => `account ${name}`,
      work,
    })
    assert.deepEqual([ran, worked], [['first', 'bad', 'last', 'one', 'bad two', 'three'], 2])
    assert.deepEqual(lines, [
      { err: broken, task: 'growth', failures: 1 },
      { err: broken, task: 'plan', subject: 'account bad two', failures: 1 },
    ])
    assert.deepEqual(await counted(), [
      'stentor_task_failures_total{task="growth"} 1',
      'stentor_task_failures_total{task="plan"} 1',
    ])
    const since = new Date(clock.now())
    assert.deepEqual(await listTaskFailures(db, clock.now()), [
      { task: 'growth', subject: '', failures: 1, since, error: broken.message },
      { task: 'plan', subject: 'account bad two', failures: 1, since, error: broken.message },
    ])
  })

  test('is tried again after delays that double up to ten minutes, and is forgotten once it works', async () => {
    const { db: process } = await startProcess()
    const unit = { task: 'plan', subject: 'account 3' }
    const delays: number[] = []
    for (let n = 0; n < 12; n++) {
      const begun = clock.now()
      assert.equal(await runIsolated(process, unit, fail), false)
      assert.deepEqual(listBackoffSubjects(process, 'plan'), ['account 3'])
      const [row] = await db.selectFrom('task_failures').selectAll().execute()
      delays.push(row!.next_at.getTime() - begun)
      clock.advance(delays[n]! - 1)
      assert.equal(await runIsolated(process, unit, async () => assert.fail('too early')), false)
      clock.advance(1)
      assert.deepEqual(listBackoffSubjects(process, 'plan'), [])
    }
    assert.deepEqual(
      delays.map((ms) => ms / 1000),
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600],
    )
    assert.equal((await listTaskFailures(db, clock.now()))[0]?.failures, 12)
    assert.equal(await runIsolated(process, unit, async () => undefined), true)
    assert.deepEqual(await listTaskFailures(db, clock.now()), [])
  })

  test('does not rest until a clock that was put back shows the same time again', async () => {
    const { db: process } = await startProcess()
    const unit = { task: 'plan', subject: 'account 4' }
    await runIsolated(process, unit, fail)
    clock.advance(-HOUR_MS)
    assert.equal(await runIsolated(process, unit, async () => undefined), true)
    clock.advance(HOUR_MS)
    assert.deepEqual(await listTaskFailures(db, clock.now()), [])
  })

  test('rests also after a restart, and is known to the next process that tries it', async () => {
    const first = await startProcess()
    await runIsolated(first.db, { task: 'nightly' }, fail)
    const second = await startProcess()
    assert.equal(await runIsolated(second.db, { task: 'nightly' }, async () => assert.fail('too early')), false)
    const third = await startProcess()
    await runIsolated(third.db, { task: 'other' }, fail)
    assert.deepEqual(await findRetryableTasks(second.db, ['nightly', 'other']), [])
    clock.advance(1000)
    assert.deepEqual((await findRetryableTasks(second.db, ['nightly', 'other'])).toSorted(), ['nightly', 'other'])
    await runTaskParts(second.db, { nightly: async () => undefined, other: async () => undefined }, NEVER)
    assert.deepEqual(await listTaskFailures(db, clock.now()), [])
  })

  test('is no failure while the database is away or the process ends: nothing else is tried', async () => {
    const { db: process, lines } = await startProcess()
    const none = async () => assert.fail('tried')
    await assert.rejects(runTaskParts(process, { first: () => Promise.reject(away), last: none }, NEVER), away)
    await assert.rejects(
      runEachIsolated(process, 'plan', [1, 2], {
        subjectOf: String,
        work: (n) => (n === 1 ? Promise.reject(away) : none()),
      }),
      away,
    )
    const ending = new AbortController()
    const end = async () => {
      ending.abort()
      throw broken
    }
    await assert.rejects(runTaskParts(process, { end, last: none }, ending.signal), broken)
    await assert.rejects(runTaskParts(process, { last: none }, ending.signal), { name: 'AbortError' })
    assert.deepEqual([lines, await listTaskFailures(db, clock.now())], [[], []])
  })

  test('is shown for an hour after the moment it was to be tried again, and then forgotten', async () => {
    const { db: process } = await startProcess()
    await runIsolated(process, { task: 'plan', subject: 'of an account that was deleted' }, fail)
    clock.advance(HOUR_MS + 999)
    assert.equal((await listTaskFailures(db, clock.now())).length, 1)
    clock.advance(1)
    assert.deepEqual(await listTaskFailures(db, clock.now()), [])
    await purgeExpiredRows(harness.context, 'forgetFailures', clock.now())
    assert.deepEqual(await db.selectFrom('task_failures').selectAll().execute(), [])
  })
})

suite('periodic tasks', () => {
  test('go on while another one fails again and again, which is listed until it works', async () => {
    const { db: process } = await startProcess()
    const runs = { good: 0, bad: 0 }
    let isBroken = true
    const watch = { add: () => undefined, until: async () => true }
    const tasks = [
      {
        name: 'bad',
        ms: 1,
        async work() {
          runs.bad++
          if (isBroken) throw broken
        },
      },
      { name: 'good', ms: 1, work: async () => void runs.good++ },
    ]
    const stops = tasks.map((task) => startPeriodicTask(task, { db: process, log, watch }))
    await eventually(() => runs.bad > 3 && runs.good > 20)
    await eventually(async () => (await listTaskFailures(db, clock.now()))[0]?.task === 'bad')
    isBroken = false
    await eventually(async () => (await listTaskFailures(db, clock.now())).length === 0)
    await Promise.all(stops.map((stop) => stop()))
  })
})

suite('jobs of the queue', () => {
  test('go on while another one fails, which is counted by the name of its task and listed until it works', async () => {
    const { db: process, counted } = await startProcess()
    const done: number[] = []
    let isBroken = true
    const runner = await startJobRunner({
      url,
      log,
      db: process,
      concurrency: 1,
      schedule: {},
      tasks: (connections) => {
        shareFailureTracking(process, connections.db)
        return {
          async 'segments.growth'({ account }) {
            if (account === 1 && isBroken) throw broken
            done.push(account)
          },
        }
      },
    })
    try {
      for (const account of [1, 2, 3])
        await enqueueTask(db, 'segments.growth', { account }, { key: `growth ${account}` })
      await eventually(() => done.length === 2)
      const [failure] = await eventually(async () => {
        const found = await listTaskFailures(db, clock.now())
        return found.length > 0 && found
      })
      assert.match(`${failure?.task} ${failure?.subject}`, /^segments\.growth job \d+$/)
      assert.match((await counted()).join(), /^stentor_task_failures_total\{task="segments.growth"\} \d$/)
      isBroken = false
      await eventually(async () => (await listTaskFailures(db, clock.now())).length === 0)
      assert.deepEqual(done.toSorted(), [1, 2, 3])
    } finally {
      await runner.stop()
    }
  })
})

suite('tasks that fail', () => {
  test('are shown to operators only on the home page of the console', async () => {
    await runIsolated((await startProcess()).db, { task: 'plan', subject: 'account 3' }, fail)
    const operator = await signedIn(harness, await makePerson(harness, 'Otto', [], { operator: true }))
    const admin = await signedIn(harness, await makePerson(harness, 'Ada', [[own, 'admin']]))
    const shownTo = async (browser: typeof admin) =>
      (await browser.visit('GET', '/overview', { account: own.code })).body.failingTasks
    const since = new Date(clock.now()).toISOString()
    assert.deepEqual(await shownTo(operator), [
      { task: 'plan', subject: 'account 3', failures: 1, since, error: broken.message },
    ])
    assert.deepEqual([await shownTo(admin), (await call('GET', '/overview')).body.failingTasks], [[], []])
  })

  test('are named by doctor, which then ends with status 1', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'stentor-doctor-'))
    const doctor = () => runProgram(['doctor'], { STENTOR_DATABASE_URL: url, STENTOR_DATA_DIR: dataDir })
    try {
      assert.doesNotMatch((await doctor()).out, /task/)
      const failure = { task: 'plan', subject: 'account 3', failures: 2, error: broken.message }
      const since = new Date()
      await db
        .insertInto('task_failures')
        .values({ ...failure, since, next_at: since })
        .execute()
      const { out, status } = await doctor()
      assert.equal(status, 1)
      const seen = `account 3: failed 2 times since ${since.toISOString()}: ${broken.message}`
      assert.ok(out.includes(`BAD  task plan: ${seen}\n     The task is retried automatically`), out)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})
