import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../database/connection/connect.ts'
import type { AccountId } from '../lib/account.ts'

/** Registers how many messages have no final outcome, of one account or of all, read when they are collected. */
export function registerOutboxMetrics(db: Db, registry: Registry, account?: AccountId): void {
  const ofAccount = account === undefined ? sql`true` : sql`account = ${account}`
  new Gauge({
    name: 'stentor_outbox_messages',
    help: 'Messages without a final outcome, by state and lane',
    labelNames: ['state', 'lane'],
    registers: [registry],
    async collect() {
      const { rows } = await sql<{ state: string; lane: number; n: number }>`
        select state, lane, sum(n)::bigint as n from (
          select state, lane, count(*) as n from messages where ${ofAccount} group by state, lane
          union all
          select case when claimed_by is null then 'queued' else 'claimed' end, lane, sum(cardinality(contacts))
          from message_slices where ${ofAccount} group by 1, 2) as outbox
        group by state, lane`.execute(db)
      this.reset()
      for (const { state, lane, n: messageCount } of rows) this.set({ state, lane: String(lane) }, messageCount)
    },
  })
}
