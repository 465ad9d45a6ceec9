import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'

/** Months that events are shown and kept, where the account does not say otherwise. */
export const RETENTION_MONTHS = 25

const KEY_DAYS = 40
/** Rows deleted in one transaction. */
const BATCH = 10_000

/** How long an account keeps its events. */
const kept = sql`coalesce((a.settings #>> '{events,retentionMonths}')::integer, ${sql.lit(RETENTION_MONTHS)})`
/** From when on events of an account `a` are shown. */
export const oldestShown = sql`clock_timestamp() - make_interval(months => ${kept})`
/** The same of an account by its id. */
export const shownSince = (account: number): RawBuilder<unknown> =>
  sql`(select ${oldestShown} from accounts a where a.id = ${account})`
/** How long any account does. */
export const longest = sql`(select coalesce(max(${kept}), ${sql.lit(RETENTION_MONTHS)}) from accounts a)`

/**
 * Deletes what is kept no longer: events of accounts that keep theirs for a shorter time than others, natural keys after
 * 40 days, honeypots after ten minutes, and at once the whole months that no account keeps. To be called nightly.
 */
export async function forgetOldEvents(db: Db): Promise<void> {
  await inBatches(() => deleteExpiredEvents(db))
  await inBatches(() => forgetKeys(db))
  await sql`delete from sprung_honeypots where sprung_at < now() - interval '10 minutes'`.execute(db)
  await dropMonths(db)
}

/** In short transactions, so that no lock is held for long. */
async function inBatches(work: () => Promise<number>): Promise<void> {
  while ((await work()) === BATCH) {
    // The next batch.
  }
}

/** Partitions that end before the first instant any account keeps. */
async function dropMonths(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname < (
      select events_partition(now() - make_interval(months => ${longest})))
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
          and e.at < now() - make_interval(months => ${kept})
        where ${kept} < ${longest}
        limit ${BATCH}) old
      where e.id = old.id and e.at = old.at`.execute(tx)
    await sql`
      delete from stale_event_counts s using accounts a
      where a.id = s.account and s.start < now() - make_interval(months => ${kept})`.execute(tx)
    return Number(numAffectedRows)
  })
}

async function forgetKeys(db: Db): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from event_keys where key in (
      select key from event_keys where written_at < now() - make_interval(days => ${KEY_DAYS}) limit ${BATCH})`.execute(
    db,
  )
  return Number(numAffectedRows)
}
