import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type DatabasePool, type Db, inTransaction } from '../../../database/connection/connect.ts'
import { withAdvisoryLock, withBlockingAdvisoryLock } from '../../../database/locks/advisory-lock.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import type { EventStore } from '../columnar/store.ts'
import { copyNextEvents } from '../columnar-copy/copier.ts'
import { findDifferingDays } from '../columnar-copy/verify.ts'
import { retainActivations } from '../record/kept-activations.ts'
import { advanceStoreBorder, EVENT_STORE_LOCK, readEventStoreState } from './store-state.ts'

/** A database and the store that has its older events. */
export interface EventStoreContext {
  db: Db
  pool: DatabasePool
  store: EventStore
  log: Pick<Logger, 'info' | 'warn'>
}

/** Longest time that a holder of the lease copies before others may take over. */
const LEASE_HOLD_MS = 10_000

/** Copies what is old enough, and what changed, as one of all processes; false: another does. To be called every second. */
export function copyToEventStore({ db, pool, store }: Omit<EventStoreContext, 'log'>): Promise<boolean> {
  return withAdvisoryLock(pool, EVENT_STORE_LOCK, async () => {
    const deadline = performance.now() + LEASE_HOLD_MS
    while (performance.now() < deadline && (await copyNextEvents({ db, pool, store })) > 0);
  })
}

/** Longest wait for readers that began before the border moved. */
const READER_WAIT_MS = 120_000
const POLL_INTERVAL_MS = 200

/** The first instant of the month that an instant is in, in milliseconds. */
function toMonthStart(ms: number): number {
  const monthDate = new Date(ms)
  return Date.UTC(monthDate.getUTCFullYear(), monthDate.getUTCMonth())
}

/**
 * Frees PostgreSQL of the months that the store has and that are older than the hot period: compares them first, moves the border,
 * waits for readers that began before, and keeps their activations. Gives how many months went. What cannot be done now is left
 * for the next time, with a line that says why.
 */
export async function dropCopiedMonths({ db, pool, store, log }: EventStoreContext, now: number): Promise<number> {
  const firstHotMonth = toMonthStart(now - store.hotDays * DAY_MS)
  const storeState = await readEventStoreState(db)
  if (!storeState) return 0
  const from = Math.max(storeState.droppedUntil, storeState.border)
  if (storeState.border < firstHotMonth) {
    const [differing] = await findDifferingDays({ pool, store }, { from, until: firstHotMonth })
    if (differing) {
      log.warn(differing, 'events store differs from database: no events dropped')
      return 0
    }
  }
  store.border = await advanceStoreBorder(db, firstHotMonth)
  if (!(await awaitOldReaders(db))) {
    log.warn('old readers still active: events not dropped until the next run')
    return 0
  }
  const droppableMonths = (await listMonthsBeforeBorder(db)).filter(({ end }) => end.getTime() <= store.border)
  let droppedCount = 0
  for (const month of droppableMonths) {
    // An erasure, which has the lease too, finds what is kept of the month in one place or in the other.
    await withBlockingAdvisoryLock(db, EVENT_STORE_LOCK, async () => {
      await retainActivations(pool, month.name)
      if (await dropCopiedMonth(db, month)) droppedCount++
    })
  }
  return droppedCount
}

/**
 * Waits for the transactions that are under way once the border has moved; returns true if none remains. Those that only read have no id.
 */
async function awaitOldReaders(db: Db): Promise<boolean> {
  const { rows: clock } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  for (
    const deadline = performance.now() + READER_WAIT_MS;
    performance.now() < deadline;
    await delay(POLL_INTERVAL_MS)
  ) {
    const { rows } = await sql<{ gone: boolean }>`
      select not exists (
        select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
          and pid <> pg_backend_pid() and xact_start < ${clock[0]!.now}::timestamptz) as gone`.execute(db)
    if (rows[0]?.gone) return true
  }
  return false
}

/** Partitions of events that end at or before the border. */
async function listMonthsBeforeBorder(db: Db): Promise<{ name: string; end: Date }[]> {
  const { rows } = await sql<{ name: string; end: Date }>`
    select c.relname as name, (to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '1 month') as end
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass
      and to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= (select border from event_store)
    order by 1`.execute(db)
  return rows
}

/** Drops a month, unless anything of it was changed that the store does not have or that is not counted: then the next time. */
function dropCopiedMonth(db: Db, { name, end }: { name: string; end: Date }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // A lock that waits for one reader would block all others.
    await sql`set local lock_timeout = '2s'`.execute(tx)
    await sql`lock table ${sql.table(name)} in access exclusive mode`.execute(tx)
    const { rows } = await sql<{ some: boolean }>`
      select exists (select from event_changes where at < ${end}) or exists (select from stale_event_counts where start < ${end}) as some`.execute(
      tx,
    )
    if (rows[0]?.some !== false) return false
    await sql`drop table ${sql.table(name)}`.execute(tx)
    await sql`update event_store set dropped_until = greatest(dropped_until, ${end})`.execute(tx)
    return true
  })
}
