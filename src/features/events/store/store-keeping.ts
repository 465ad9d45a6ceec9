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

/** How long one holder of the lease copies before others may take it. */
const HOLD_MS = 10_000

/** Copies what is old enough, and what changed, as one of all processes; false: another does. To be called every second. */
export function copyToEventStore({ db, pool, store }: Omit<EventStoreContext, 'log'>): Promise<boolean> {
  return withAdvisoryLock(pool, EVENT_STORE_LOCK, async () => {
    const end = performance.now() + HOLD_MS
    while (performance.now() < end && (await copyNextEvents({ db, pool, store })) > 0);
  })
}

/** How long readers that began before the border moved are waited for. */
const READERS_MS = 120_000
const POLL_MS = 200

/** The first instant of the month that an instant is in, in milliseconds. */
function monthOf(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/**
 * Frees PostgreSQL of the months that the store has and that are older than the hot period: compares them first, moves the border,
 * waits for readers that began before, and keeps their activations. Gives how many months went. What cannot be done now is left
 * for the next time, with a line that says why.
 */
export async function dropCopiedMonths({ db, pool, store, log }: EventStoreContext, now: number): Promise<number> {
  const until = monthOf(now - store.hotDays * DAY_MS)
  const state = await readEventStoreState(db)
  if (!state) return 0
  const from = Math.max(state.droppedUntil, state.border)
  if (state.border < until) {
    const [differing] = await findDifferingDays({ pool, store }, { from, until })
    if (differing) {
      log.warn(differing, 'the events store differs from the database: no events are dropped')
      return 0
    }
  }
  store.border = await advanceStoreBorder(db, until)
  if (!(await readersAreGone(db))) {
    log.warn('readers that began before the border moved are still there: events are dropped the next time')
    return 0
  }
  const months = (await monthsBefore(db)).filter(({ end }) => end.getTime() <= store.border)
  let dropped = 0
  for (const month of months) {
    // An erasure, which has the lease too, finds what is kept of the month in one place or in the other.
    await withBlockingAdvisoryLock(db, EVENT_STORE_LOCK, async () => {
      await retainActivations(pool, month.name)
      if (await dropMonth(db, month)) dropped++
    })
  }
  return dropped
}

/** Whether no transaction is left that is under way now, when the border has moved; they are waited for. Those that read have no id. */
async function readersAreGone(db: Db): Promise<boolean> {
  const { rows: clock } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(db)
  for (const end = performance.now() + READERS_MS; performance.now() < end; await delay(POLL_MS)) {
    const { rows } = await sql<{ gone: boolean }>`
      select not exists (
        select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
          and pid <> pg_backend_pid() and xact_start < ${clock[0]!.now}::timestamptz) as gone`.execute(db)
    if (rows[0]?.gone) return true
  }
  return false
}

/** Partitions of events that end at or before the border. */
async function monthsBefore(db: Db): Promise<{ name: string; end: Date }[]> {
  const { rows } = await sql<{ name: string; end: Date }>`
    select c.relname as name, (to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '1 month') as end
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass
      and to_timestamp(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= (select border from event_store)
    order by 1`.execute(db)
  return rows
}

/** Drops a month, unless anything of it was changed that the store does not have or that is not counted: then the next time. */
function dropMonth(db: Db, { name, end }: { name: string; end: Date }): Promise<boolean> {
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
