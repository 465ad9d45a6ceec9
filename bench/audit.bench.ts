import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Db, inTransaction, openDatabasePool } from '../src/database/connection/connect.ts'
import { recordRequestAudit } from '../src/features/audit/record-request-audit.ts'
import { createCategory, lockCategory, updateCategory } from '../src/features/categories/categories.ts'
import { ActionCategory } from '../src/features/categories/category-schemas.ts'
import { changeResource } from '../src/http/resource/resource.ts'
import { median, rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const WRITES = 500
const ROUNDS = 5

/** A request as far as the audit looks at it. */
function requestOf(db: Db, account: number, id: number, body: object): FastifyRequest {
  const record = (tx: Db, act: Parameters<typeof recordRequestAudit>[1]) => recordRequestAudit(tx, act, new Date())
  return {
    account,
    actor: { type: 'key', id: '1', name: 'bench' },
    ip: '192.0.2.1',
    id: randomUUID(),
    isTold: false,
    method: 'PUT',
    headers: {},
    params: { id: String(id) },
    body,
    server: { audit: { db, record, undeclared: [] } },
    routeOptions: { url: '/categories/:id', config: { audit: { object: 'category' } } },
  } as unknown as FastifyRequest
}

/**
 * What an audited write costs, in milliseconds of one connection: the same changes of a locked category in plain transactions, and in
 * ones that also write a row of the audit.
 */
export const benchmark: Benchmark = async (report, size = WRITES) => {
  const service = await startBenchService()
  const { db, close } = openDatabasePool(service.databaseUrl, { max: 2 })
  try {
    const { account } = service
    const { id } = await createCategory(db, account, { name: 'Bench' }, new Date())
    const plain = (body: object) =>
      inTransaction(db, async (tx) => {
        const stored = await lockCategory(tx, account, id)
        return updateCategory(tx, { account, id, stored }, body)
      })
    const resource = { schema: { shown: ActionCategory }, lock: lockCategory }
    const audited = (body: object) =>
      changeResource({ request: requestOf(db, account, id, body), db }, resource, id, {
        change: (tx, locked) => updateCategory(tx, locked, body),
      })
    const timed = async (write: (body: object) => Promise<unknown>): Promise<number> => {
      const started = performance.now()
      for (let n = 0; n < size; n++) await write({ description: `text ${n}` })
      return (performance.now() - started) / size
    }
    const [alone, audits]: [number[], number[]] = [[], []]
    for (let round = 0; round <= ROUNDS; round++) {
      const [without, withIt] = [await timed(plain), await timed(audited)]
      report(
        `round ${round}: ${without.toFixed(2)} ms plain, ${withIt.toFixed(2)} ms audited${round === 0 ? ' (warm-up)' : ''}`,
      )
      if (round === 0) continue
      alone.push(without)
      audits.push(withIt)
    }
    return {
      plainMs: rounded(median(alone)),
      auditedMs: rounded(median(audits)),
      moreMs: rounded(median(audits.map((ms, n) => ms - alone[n]!))),
    }
  } finally {
    await close()
    await service.stop()
  }
}
