import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { suite, type TestContext, test } from 'node:test'
import pino from 'pino'
import { enqueueTask } from '../../../src/jobs/enqueue.ts'
import { purgeFailedJobs } from '../../../src/jobs/runner.ts'
import { startDatabaseProxy } from '../../fakes/database-proxy.ts'
import type { WorkerReport } from '../../fakes/programs/job-worker.ts'
import { cloneDatabase, type TestDatabase } from '../../support/database/database.ts'
import { programPath } from '../../support/processes/programs.ts'
import { eventually } from '../../support/wait.ts'

const WORKER = programPath('test/fakes/programs/job-worker.ts')
const HEARTBEAT_MS = 300
/** No living worker is silent for so long, however busy the machine is. */
const TIMEOUT_MS = 8000
const STEPS = 40

/** A database of the test's own, and how to start workers on it, which end before it goes. */
async function makeDatabase(t: TestContext): Promise<{ database: TestDatabase; start(url?: string): Worker }> {
  const database = await cloneDatabase()
  const workers: Worker[] = []
  t.after(async () => {
    for (const { kill } of workers) await kill()
    await database.drop()
  })
  await database.pool.query('create table steps (job text, process integer, step integer)')
  return {
    database,
    start(url = database.url) {
      const worker = startWorker(url, t.signal)
      workers.push(worker)
      return worker
    },
  }
}

interface Worker {
  child: ChildProcess
  pid: number
  /** Resolves when the worker reports this of a job, or has reported it before. */
  reported(job: string, what: WorkerReport['what']): Promise<void>
  kill(): Promise<void>
}

function startWorker(url: string, signal: AbortSignal): Worker {
  const child = fork(WORKER, [url, String(HEARTBEAT_MS), String(TIMEOUT_MS)])
  const reports: WorkerReport[] = []
  child.on('message', (report: WorkerReport) => reports.push(report))
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const isReported = (job: string, what: string) => reports.some((report) => report.job === job && report.what === what)
  return {
    child,
    pid: child.pid ?? 0,
    kill,
    async reported(job, what) {
      if (isReported(job, what)) return
      for await (const _ of on(child, 'message', { signal })) if (isReported(job, what)) return
    },
  }
}

/** Adds jobs that run one after the other. */
async function addJobs({ db }: TestDatabase, ...jobs: string[]): Promise<void> {
  for (const job of jobs) await enqueueTask(db, 'jobs.run', { job }, { queue: 'one at a time' })
}

/** The steps of a job by a process, in order. */
async function stepsOf({ pool }: TestDatabase, job: string, process: number): Promise<number[]> {
  const query = 'select step from steps where job = $1 and process = $2 order by step'
  const { rows } = await pool.query<{ step: number }>(query, [job, process])
  return rows.map(({ step }) => step)
}

/** Waits until a job has committed some steps. */
async function untilUnderWay(database: TestDatabase, job: string, process: number, signal: AbortSignal): Promise<void> {
  await eventually(async () => (await stepsOf(database, job, process)).length >= 5, signal)
}

async function untilQueueIsEmpty({ pool }: TestDatabase, signal: AbortSignal): Promise<void> {
  await eventually(async () => (await pool.query('select from graphile_worker.jobs')).rowCount === 0, signal)
}

const all = Array.from({ length: STEPS }, (_, step) => step)

suite('jobs of dead and stopped workers', { concurrency: true }, () => {
  test("another worker runs a killed worker's job and the jobs queued behind it", async (t) => {
    const { database, start } = await makeDatabase(t)
    const first = start()
    await addJobs(database, 'a', 'b')
    await untilUnderWay(database, 'a', first.pid, t.signal)
    await first.kill()
    const second = start()
    await second.reported('b', 'done')
    assert.deepEqual(await stepsOf(database, 'a', second.pid), all)
    assert.deepEqual(await stepsOf(database, 'b', second.pid), all)
    await untilQueueIsEmpty(database, t.signal)
    const { rows } = await database.pool.query('select count(*)::integer as n from job_workers')
    assert.deepEqual(rows, [{ n: 1 }], 'the row of the dead worker is gone')
  })

  test('a suspended worker declared dead commits nothing more, aborts its jobs on resuming and runs others', async (t) => {
    const { database, start } = await makeDatabase(t)
    const first = start()
    await addJobs(database, 'a')
    await untilUnderWay(database, 'a', first.pid, t.signal)
    first.child.kill('SIGSTOP')
    const second = start()
    await second.reported('a', 'started')
    const committed = await stepsOf(database, 'a', first.pid)
    first.child.kill('SIGCONT')
    await first.reported('a', 'aborted')
    await second.reported('a', 'done')
    assert.deepEqual(await stepsOf(database, 'a', first.pid), committed)
    assert.deepEqual(await stepsOf(database, 'a', second.pid), all)
    await second.kill()
    await addJobs(database, 'b')
    await first.reported('b', 'done')
    assert.deepEqual(await stepsOf(database, 'b', first.pid), all)
  })

  test('a worker cut off from the database aborts its jobs and commits nothing more after reconnecting', async (t) => {
    const { database, start } = await makeDatabase(t)
    const proxy = await startDatabaseProxy(database.url)
    t.after(() => proxy.close())
    const first = start(proxy.url)
    await addJobs(database, 'a')
    await untilUnderWay(database, 'a', first.pid, t.signal)
    proxy.freeze()
    const second = start()
    await second.reported('a', 'started')
    const committed = await stepsOf(database, 'a', first.pid)
    await first.reported('a', 'aborted')
    proxy.restore()
    await second.reported('a', 'done')
    assert.deepEqual(await stepsOf(database, 'a', first.pid), committed)
    await second.kill()
    await addJobs(database, 'b')
    await first.reported('b', 'done')
  })

  test('a stopped worker aborts its jobs, even an endless one, and releases their locks immediately', async (t) => {
    const { database, start } = await makeDatabase(t)
    const first = start()
    await addJobs(database, 'endless')
    await enqueueTask(database.db, 'jobs.run', { job: 'a' })
    await first.reported('endless', 'started')
    await untilUnderWay(database, 'a', first.pid, t.signal)
    const exited = once(first.child, 'exit')
    first.child.kill('SIGTERM')
    await Promise.all([first.reported('endless', 'aborted'), first.reported('a', 'aborted')])
    assert.deepEqual(await exited, [0, null])
    const { rows } = await database.pool.query('select locked_by, queue_name from graphile_worker.jobs order by id')
    assert.deepEqual(rows, [
      { locked_by: null, queue_name: 'one at a time' },
      { locked_by: null, queue_name: null },
    ])
    assert.equal((await database.pool.query('select from job_workers')).rowCount, 0)
    const second = start()
    await second.reported('endless', 'started')
    await second.reported('a', 'done')
  })

  test('a live worker keeps its jobs while others look for dead workers', async (t) => {
    const { database, start } = await makeDatabase(t)
    const workers = [start(), start()]
    await addJobs(database, 'endless')
    const [holder, other] = await Promise.race(
      workers.map(async (worker, n) => {
        await worker.reported('endless', 'started')
        return [worker, workers[1 - n]] as const
      }),
    )
    // The other one runs two jobs that take as long as the timeout, and takes none that is locked.
    await enqueueTask(database.db, 'jobs.run', { job: 'a' })
    await enqueueTask(database.db, 'jobs.run', { job: 'b' })
    await Promise.race(workers.map((worker) => worker.reported('b', 'done')))
    const { rows: seen } = await database.pool.query('select now() + $1::integer * interval $$1 ms$$ as later', [
      2 * TIMEOUT_MS,
    ])
    const stillSeen = 'select from job_workers where seen_at > $1'
    await eventually(async () => (await database.pool.query(stillSeen, [seen[0].later])).rowCount === 2, t.signal)
    const { rows } = await database.pool.query('select attempts from graphile_worker.jobs where locked_by is not null')
    assert.deepEqual(rows, [{ attempts: 1 }])
    assert.ok(holder.child.exitCode === null && other?.child.exitCode === null)
  })
})

test('only jobs that can never run again are deleted', async (t) => {
  const { database } = await makeDatabase(t)
  const { db, pool } = database
  await enqueueTask(db, 'jobs.run', { job: 'failed' }, { key: 'failed' })
  await enqueueTask(db, 'jobs.run', { job: 'waits' }, { key: 'waits' })
  const { rows } = await pool.query("select id from graphile_worker.jobs where key = 'failed'")
  await pool.query('select graphile_worker.permanently_fail_jobs($1::bigint[])', [rows.map(({ id }) => id)])
  await purgeFailedJobs(pool, pino({ level: 'silent' }))
  assert.deepEqual((await pool.query('select key from graphile_worker.jobs')).rows, [{ key: 'waits' }])
})
