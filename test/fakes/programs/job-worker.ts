import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { startJobRunner } from '../../../src/jobs/runner.ts'

/** What a worker reports of a job. */
export interface WorkerReport {
  job: string
  what: 'started' | 'aborted' | 'done'
}

/**
 * `job-worker.ts DATABASE_URL HEARTBEAT_MS TIMEOUT_MS`: runs jobs of many steps until it is killed. Each step is a transaction
 * of 30 ms that writes a row of `steps`. A job named `endless` does nothing, and never ends. SIGTERM stops it.
 */
const [url = '', heartbeatMs, timeoutMs] = process.argv.slice(2)
const STEPS = 40
const STEP_MS = 30

const report = (message: WorkerReport): void => void process.send?.(message)

const runner = await startJobRunner({
  url,
  log: pino({ level: 'silent' }),
  concurrency: 2,
  schedule: {},
  times: { heartbeatMs: Number(heartbeatMs), timeoutMs: Number(timeoutMs) },
  tasks: ({ db }) => ({
    async 'jobs.run'({ job }, signal) {
      report({ job, what: 'started' })
      signal.addEventListener('abort', () => report({ job, what: 'aborted' }))
      if (job === 'endless') await new Promise(() => undefined)
      for (let step = 0; step < STEPS; step++) {
        signal.throwIfAborted()
        await db.transaction().execute(async (tx) => {
          await sql`insert into steps (job, process, step) values (${job}, ${process.pid}, ${step})`.execute(tx)
          await delay(STEP_MS)
        })
      }
      report({ job, what: 'done' })
    },
  }),
})

process.once('SIGTERM', async () => {
  await runner.stop()
  process.exit(0)
})
