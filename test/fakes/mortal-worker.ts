import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { startRunner } from '../../src/jobs/runner.ts'

/** What a worker tells of a job. */
export interface WorkerWord {
  job: string
  what: 'begun' | 'aborted' | 'done'
}

/**
 * `mortal-worker.ts DATABASE_URL BEAT_MS DEAD_MS`: works jobs of many steps until it is killed. Each step is a transaction
 * of 30 ms that writes a row of `steps`. A job named `deaf` does nothing, and never ends. SIGTERM stops it.
 */
const [url = '', beatMs, deadMs] = process.argv.slice(2)
const STEPS = 40
const STEP_MS = 30

const tell = (word: WorkerWord): void => void process.send?.(word)

const runner = await startRunner({
  url,
  log: pino({ level: 'silent' }),
  concurrency: 2,
  schedule: {},
  times: { beatMs: Number(beatMs), deadMs: Number(deadMs) },
  tasks: ({ db }) => ({
    async 'jobs.run'({ job }, signal) {
      tell({ job, what: 'begun' })
      signal.addEventListener('abort', () => tell({ job, what: 'aborted' }))
      if (job === 'deaf') await new Promise(() => undefined)
      for (let step = 0; step < STEPS; step++) {
        signal.throwIfAborted()
        await db.transaction().execute(async (tx) => {
          await sql`insert into steps (job, process, step) values (${job}, ${process.pid}, ${step})`.execute(tx)
          await delay(STEP_MS)
        })
      }
      tell({ job, what: 'done' })
    },
  }),
})

process.once('SIGTERM', async () => {
  await runner.stop()
  process.exit(0)
})
