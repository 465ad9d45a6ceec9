import pino from 'pino'
import { openDatabasePool } from '../../../src/database/connection/connect.ts'
import { openWorkflowEngine } from '../../../src/features/workflows/engine/engine.ts'
import { createWorkflowWorker } from '../../../src/features/workflows/engine/worker.ts'

/**
 * `mortal-workflow-worker.ts DATABASE_URL NOW HOST`: performs runs of workflows that are due at that instant, and may call
 * the host, until it is killed. Its workflows have neither scripts nor
 * secrets, and send nothing that is to be compiled.
 */
const [url = '', now = '', host = ''] = process.argv.slice(2)
const { db } = openDatabasePool(url, { applicationName: 'workflows', max: 4 })
const engine = openWorkflowEngine({
  db,
  clock: { now: () => Number(now) },
  log: pino({ level: 'silent' }),
  masterKeys: [],
  config: { outgoingAllow: [host] } as never,
  sandbox: {} as never,
  renders: {} as never,
  tokens: {} as never,
})
const worker = createWorkflowWorker(engine)
process.send?.('ready')
for (;;) await worker.work()
