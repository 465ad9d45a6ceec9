import { join } from 'node:path'
import { type DemoService, startService } from '../scripts/demo/service.ts'
import { openDatabasePool } from '../src/database/connection/connect.ts'
import { findEmbeddedPostgresUrl } from '../src/database/embedded.ts'

export interface BenchService extends DemoService {
  databaseUrl: string
  /** Number of the account whose key this is. */
  account: number
}

/** The program as a process of its own on a throw-away data directory, without rate limit. `environment`: more settings. */
export async function startBenchService(smtpPort = 9, environment: Record<string, string> = {}): Promise<BenchService> {
  const service = await startService(smtpPort, environment)
  const databaseUrl = (await findEmbeddedPostgresUrl(join(service.dataDir, 'postgres'))) ?? ''
  const { pool, close } = openDatabasePool(databaseUrl, { max: 1 })
  const { rows } = await pool.query<{ id: number }>('update accounts set rate_per_second = 0 returning id')
  await close()
  return { ...service, databaseUrl, account: rows[0]!.id }
}
