import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { longestRetentionSql, retentionMonthsSql } from './kept-months.ts'
import { ACTIVATION_RETENTION_MONTHS } from './record/kept-activations.ts'
import { purgeStoredEvents } from './store/store-retention.ts'

export { EVENT_RETENTION_MONTHS } from './kept-months.ts'

const KEY_RETENTION_DAYS = 40
/** Rows deleted in one transaction. */
const PURGE_BATCH_SIZE = 10_000

/** From when on events of an account `a` are shown. */
export const oldestVisibleInstant = sql`clock_timestamp() - make_interval(months => ${retentionMonthsSql})`
/** The same of an account by its id. */
export const eventsVisibleSince = (account: number): RawBuilder<unknown> =>
  sql`(select ${oldestVisibleInstant} from accounts a where a.id = ${account})`

/**
 * Deletes what is kept no longer: events of accounts that keep theirs for a shorter time than others, natural keys after
 * 40 days, honeypots after ten minutes, and at once the whole months that no account keeps. To be called nightly. Events go
 * from the store before they go here, so that none comes back from there; while it is away they wait.
 */
export async function purgeOldEvents(db: Db, log?: Logger): Promise<void> {
  if (await purgeStoredEvents(db, log)) await runInBatches(() => deleteExpiredEvents(db))
  await runInBatches(() => deleteExpiredActivations(db))
  await runInBatches(() => deleteExpiredKeys(db))
  await sql`delete from sprung_honeypots where sprung_at < now() - interval '10 minutes'`.execute(db)
  await dropExpiredPartitions(db, 'events', longestRetentionSql)
  await dropExpiredPartitions(db, 'kept_activations', sql.lit(ACTIVATION_RETENTION_MONTHS))
}

/** In short transactions, so that no lock is held for long. */
async function runInBatches(work: () => Promise<number>): Promise<void> {
  while ((await work()) === PURGE_BATCH_SIZE) {
    // The next batch.
  }
}

/** Partitions that end before the first instant that is kept. */
async function dropExpiredPartitions(
  db: Db,
  table: 'events' | 'kept_activations',
  months: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname < (
      select replace(events_partition(now() - make_interval(months => ${months})), 'events', ${table}))
    order by 1`.execute(db)
  for (const { name } of rows) {
    await inTransaction(db, async (tx) => {
      // A lock that waits for one reader would block all others.
      await sql`set local lock_timeout = '2s'`.execute(tx)
      await sql`drop table ${sql.table(name)}`.execute(tx)
    })
  }
}

/** Their counts stay as they are: the quarters that these deletions note are not counted again. */
async function deleteExpiredEvents(db: Db): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      delete from events e using (
        select e.id, e.at from accounts a join events e on e.account = a.id
          and e.at < now() - make_interval(months => ${retentionMonthsSql})
        where ${retentionMonthsSql} < ${longestRetentionSql}
        limit ${PURGE_BATCH_SIZE}) old
      where e.id = old.id and e.at = old.at`.execute(tx)
    await sql`
      delete from stale_event_counts s using accounts a
      where a.id = s.account and s.start < now() - make_interval(months => ${retentionMonthsSql})`.execute(tx)
    return Number(numAffectedRows)
  })
}

/** Those of accounts that keep events for a shorter time, and those in no month's partition. */
async function deleteExpiredActivations(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from kept_activations k using (
      select k.id, k.at from accounts a join kept_activations k on k.account = a.id
        and k.at < now() - make_interval(months => ${retentionMonthsSql})
      where ${retentionMonthsSql} < ${sql.lit(ACTIVATION_RETENTION_MONTHS)}
      union all
      select id, at from kept_activations_other where at < now() - make_interval(months => ${sql.lit(ACTIVATION_RETENTION_MONTHS)})
      limit ${PURGE_BATCH_SIZE}) old
    where k.id = old.id and k.at = old.at`.execute(db)
  return Number(numAffectedRows)
}

async function deleteExpiredKeys(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from event_keys where key in (
      select key from event_keys where written_at < now() - make_interval(days => ${KEY_RETENTION_DAYS}) limit ${PURGE_BATCH_SIZE})`.execute(
    db,
  )
  return Number(numAffectedRows)
}
