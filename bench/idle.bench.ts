import { setTimeout as delay } from 'node:timers/promises'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { rounded } from './load.ts'
import { processorSeconds } from './processes.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

/** What a start leaves to be done is over by then, code that is compiled behind it included. */
const SETTLED_MS = 240_000
const SECONDS = 60

/**
 * What a service costs that has nothing to do, all roles in one process: `idleCpuPercent` of one core, under 1, its database beside it,
 * and `idleQueriesPerSecond`, the transactions that it asks of the database, at most 15. `size`: seconds that are measured.
 */
export const benchmark: Benchmark = async (report, size = SECONDS) => {
  const service = await startBenchService()
  const { pool, close } = openDatabasePool(service.databaseUrl, { max: 1 })
  const transactions = async (): Promise<number> => {
    const { rows } = await pool.query<{ n: number }>(
      'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
    )
    return rows[0]!.n
  }
  try {
    await delay(SETTLED_MS)
    report('settled')
    const [begun, spent, before] = [performance.now(), processorSeconds(service.pid), await transactions()]
    await delay(size * 1000)
    const [after, total] = [await transactions(), processorSeconds(service.pid)]
    const seconds = (performance.now() - begun) / 1000
    const percent = (used: number) => rounded((100 * used) / seconds)
    return {
      idleCpuPercent: percent(total.own - spent.own),
      idleDatabaseCpuPercent: percent(total.children - spent.children),
      idleQueriesPerSecond: rounded((after - before) / seconds),
    }
  } finally {
    await close()
    await service.stop()
  }
}
