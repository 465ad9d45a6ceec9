import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabasePool, type Db, openDatabasePool } from '../src/database/connection/connect.ts'
import { processorSeconds, rssMb } from './processes.ts'
import { type BenchService, startBenchService } from './service.ts'

/** The service with contacts, its mail captured. */
export interface WorkflowStage {
  service: BenchService
  db: Db
  pool: DatabasePool
  /** Numbers of the contacts, whose addresses are `addressOf` their place. */
  contacts: readonly number[]
  stop(): Promise<void>
}

/** The address of the contact at a place. */
export const addressOf = (place: number): string => `person.${place + 1}@shop.example`

/** Starts the service with so many contacts. */
export async function openWorkflowStage(contacts: number): Promise<WorkflowStage> {
  const directory = mkdtempSync(join(tmpdir(), 'stentor-bench-'))
  const file = join(directory, 'gateways.json')
  writeFileSync(file, JSON.stringify([{ name: 'captured', kind: 'capture', channel: 'email' }]))
  // Read by the service that is started.
  process.env['STENTOR_GATEWAYS_FILE'] = file
  const service = await startBenchService()
  const { db, pool, close } = openDatabasePool(service.databaseUrl, { max: 4, statementTimeoutMs: 0 })
  const fields = await service.client.call<{ id: number; name: string }[]>('GET', '/fields')
  const email = fields.find(({ name }) => name === 'Email')!.id
  const { rows } = await pool.query<{ id: number }>(
    `insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
     select $1, jsonb_build_object($3::text, mail), mail, mail, decode(md5(mail), 'hex'), now(), now()
     from (select 'person.' || n || '@shop.example' as mail from generate_series(1, $2::integer) n) people returning id`,
    [service.account, contacts, email],
  )
  await pool.query('vacuum (analyze) contacts')
  return {
    service,
    db,
    pool,
    contacts: rows.map(({ id }) => id),
    async stop() {
      await close()
      await service.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Makes a workflow by the interface and activates it; gives its number. */
export async function activeWorkflow({ service: { client } }: WorkflowStage, definition: object): Promise<number> {
  const { id } = await client.call<{ id: number }>('POST', '/scripting/workflows', definition)
  await client.call('POST', `/scripting/workflows/${id}/activation`)
  return id
}

/** What of a core the service and its database use over so many seconds, in percent, and what the service holds then. */
export async function usedOver({ service: { pid } }: WorkflowStage, seconds: number) {
  const used = () => {
    const { own, children } = processorSeconds(pid)
    return own + children
  }
  const [before, from] = [used(), performance.now()]
  await delay(seconds * 1000)
  return { percent: ((used() - before) * 100_000) / (performance.now() - from), rssMb: rssMb(pid) }
}

/** The value below which a part of all lie. */
export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0
}
