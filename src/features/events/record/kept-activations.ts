import type { DatabasePool } from '../../../database/connection/connect.ts'

/** Months after its message that a reaction may still come: as long activations are kept. */
export const ACTIVATION_RETENTION_MONTHS = 14

const PARTITION_NAME = /^events_(\d{4})_(\d{2})$/

/**
 * Keeps the activations of a month of events that is to be dropped, in a partition of `kept_activations`. What changes in the month
 * meanwhile waits, and is then made to both. Can be repeated. Months that no reaction may answer are passed over.
 */
export async function retainActivations(pool: DatabasePool, events: string): Promise<void> {
  const [, year, month] = PARTITION_NAME.exec(events) ?? []
  if (year === undefined || month === undefined) throw new Error(`${events} is not a monthly partition of events`)
  const monthStart = new Date(Date.UTC(Number(year), Number(month) - 1))
  const monthEnd = new Date(Date.UTC(Number(year), Number(month)))
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ is_kept: boolean; is_made: boolean }>(
      `select $1::timestamptz > now() - make_interval(months => $2) as is_kept, to_regclass($3) is not null as is_made`,
      [monthEnd, ACTIVATION_RETENTION_MONTHS, `kept_activations_${year}_${month}`],
    )
    if (!rows[0]?.is_kept) return
    const retainedTable = `kept_activations_${year}_${month}`
    if (!rows[0].is_made) {
      await client.query(`begin; set local lock_timeout = '2s'`)
      await client.query(`delete from kept_activations_other where at >= $1 and at < $2`, [monthStart, monthEnd])
      await client.query(
        `create table ${retainedTable} partition of kept_activations for values from ('${monthStart.toISOString()}') to ('${monthEnd.toISOString()}')`,
      )
      await client.query('commit')
    }
    await client.query('begin')
    await client.query(`lock table ${events} in share mode`)
    await client.query(`delete from ${retainedTable}`)
    await client.query(
      `insert into ${retainedTable} (id, at, account, channel, subject, contact, stamp, thread, subscription, phone, agent, title, is_test,
         depth, activation)
       select id, at, account, channel, subject, contact, stamp, thread, subscription, phone, agent, title, is_test, depth,
         detail -> 'activation'
       from ${events} where kind = 'activations'`,
    )
    await client.query('commit')
  } finally {
    // The end of the session rolls back what was not committed and discards its settings.
    client.release(true)
  }
}
