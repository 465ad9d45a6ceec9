import type { Socket } from 'node:net'
import { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { ServiceContext } from '../../../src/context.ts'
import { type DatabaseConnection, openDatabasePool } from '../../../src/database/connection/connect.ts'
import { dispatchWorkflowEvents } from '../../../src/features/workflows/dispatch/dispatch-events.ts'
import { openWorkflowEngine } from '../../../src/features/workflows/engine/engine.ts'
import type { WorkflowEngineContext } from '../../../src/features/workflows/engine/engine-context.ts'
import { createWorkflowWorker, type WorkflowWorker } from '../../../src/features/workflows/engine/worker.ts'
import { createUuidV7 } from '../../../src/lib/ids.ts'

interface MortalWorker {
  engine: WorkflowEngineContext
  worker: WorkflowWorker
  kill(): Promise<void>
}

/** What of a pool is torn out. */
interface Insides {
  _clients: pg.Client[]
  _pendingQueue: { callback(error: Error): void }[]
}

/** Workers that live for a while and are killed in the middle of what they do. */
export interface MortalWorkers {
  /** Has a worker take what is due for so long (milliseconds), then kills it. */
  live(lifeMs: number): Promise<void>
}

/** Workers on connections of their own, which are cut as those of a process that is killed. */
export function mortalWorkers(context: ServiceContext): MortalWorkers {
  const opened: DatabaseConnection[] = []
  after(() => Promise.all(opened.map(({ close }) => close())))

  function born(): MortalWorker {
    const connected = openDatabasePool(String(context.pool.options.connectionString), { max: 3 })
    opened.push(connected)
    const engine = openWorkflowEngine({ ...context, db: connected.db })
    const worker = createWorkflowWorker(engine)
    return {
      engine,
      worker,
      async kill() {
        const { pool } = connected
        const killed = new Error('killed')
        const { _clients: clients, _pendingQueue: waiting } = pool as unknown as Insides
        Object.assign(pool, { connect: () => Promise.reject(killed) })
        for (const { callback } of waiting.splice(0)) callback(killed)
        for (const client of clients)
          (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
        await worker.stop()
      },
    }
  }

  return {
    async live(lifeMs) {
      const mortal = born()
      await sql`select`.execute(mortal.engine.db)
      const working = (async () => {
        while ((await mortal.worker.work()) > 0);
        await dispatchWorkflowEvents(mortal.engine, { taker: createUuidV7(context.clock.now()) })
      })().catch(() => undefined)
      await delay(lifeMs)
      await mortal.kill()
      await working
    },
  }
}
