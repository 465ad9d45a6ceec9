import { after } from 'node:test'
import type { ServiceContext } from '../../src/context.ts'
import { rawClickHouseSql } from '../../src/features/events/columnar/sql.ts'
import { attachEventStore, type EventStore, openEventStore } from '../../src/features/events/columnar/store.ts'
import { eventStoreTableNames } from '../../src/features/events/columnar/tables.ts'
import { advanceStoreBorder, createEventStore } from '../../src/features/events/store/store-state.ts'
import { parseEventStoreUrl } from '../../src/lib/net/event-store-url.ts'
import { type Engine, engineIsMissing, startEngine } from '../fakes/column-store/columnar-engine.ts'
import { seeded } from '../fakes/scripts/seeded.ts'
import { copyEverything } from './database/events-store.ts'

/** When set, tests of the interface have a column store behind it, and every read crosses the border to it. */
export const CROSSING = 'STENTOR_TEST_CROSSING'

/** Whether the tests are to cross; without an engine they say so, and do not. */
export async function isCrossing(): Promise<boolean> {
  if (process.env[CROSSING] === undefined) return false
  const missing = await engineIsMissing()
  if (missing !== undefined) process.stderr.write(`No store behind these tests: ${missing}\n`)
  return missing === undefined
}

/** A store beside the database of a test. */
export interface Crossing {
  store: EventStore
  engine: Engine
  /** Copies all there is. */
  copy(): Promise<void>
  /** Copies all there is, and moves the border as far as an instant in milliseconds, or to the present. */
  cross(until?: number): Promise<void>
  /** The same to some place among the events: the next of a seeded series. */
  crossSomewhere(): Promise<void>
}

/**
 * Which events are said to be in the store: tests delete some, write others of long ago, and make some older, as nothing in the
 * house does.
 */
async function copiedOf(pool: ServiceContext['pool']): Promise<string> {
  const { rows } = await pool.query<{ copied: string }>(
    `select concat_ws(' ', count(*), sum(('x' || right(id::text, 8))::bit(32)::bigint), sum(extract(epoch from at))) as copied
    from events where id <= (select copied_id from event_store)`,
  )
  return rows[0]?.copied ?? ''
}

/** The store has nothing, and is to copy all once more. */
async function forgetCopies({ pool, store }: { pool: ServiceContext['pool']; store: EventStore }): Promise<void> {
  for (const name of eventStoreTableNames)
    await store.command({ account: null, statement: rawClickHouseSql(`truncate table ${name}`) })
  await pool.query('update event_store set copied_id = null')
}

/**
 * Starts an engine, makes its tables and lets readers of the database find it; it goes when the file's tests are over. `anew`: where a
 * test has deleted events, or written old ones, all is copied once more; without, what the database has no more stays in the store.
 */
export async function startCrossing(
  { db, pool }: Pick<ServiceContext, 'db' | 'pool'>,
  { anew = false } = {},
): Promise<Crossing> {
  const engine = await startEngine()
  const store = openEventStore(parseEventStoreUrl(engine.url), 35)
  await createEventStore(db, store)
  attachEventStore(db, store)
  after(async () => {
    await store.close()
    await engine.stop()
  })
  const random = seeded(20)
  let copied = ''
  const copy = async (): Promise<void> => {
    if (anew && (await copiedOf(pool)) !== copied) await forgetCopies({ pool, store })
    await copyEverything({ db, pool, store })
    if (anew) copied = await copiedOf(pool)
  }
  const cross = async (until = Date.now() + 60_000): Promise<void> => {
    await copy()
    await advanceStoreBorder(db, until, { counted: false })
  }
  return {
    store,
    engine,
    copy,
    cross,
    async crossSomewhere() {
      const { rows } = await pool.query<{ at: Date }>(
        'select at from events order by at offset floor($1::float * (select count(*) + 1 from events)) limit 1',
        [random()],
      )
      await cross(rows[0]?.at.getTime())
    },
  }
}
