import { after } from 'node:test'
import type { Context } from '../src/context.ts'
import { copyNext } from '../src/features/events/columnar/copier.ts'
import { attachStore, type EventStore, openStore } from '../src/features/events/columnar/store.ts'
import { createStore, moveBorder } from '../src/features/events/store-state.ts'
import { readEventStore } from '../src/lib/event-store-url.ts'
import { type Engine, startEngine } from './fakes/columnar-engine.ts'
import { seeded } from './fakes/seeded.ts'

/** When set, tests of the interface have a column store behind it, and every read crosses the border to it. */
export const CROSSING = 'STENTOR_TEST_CROSSING'

/** A store beside the database of a test. */
export interface Crossing {
  store: EventStore
  engine: Engine
  /** Copies all there is, and moves the border as far as an instant in milliseconds, or to the present. */
  cross(until?: number): Promise<void>
  /** The same to some place among the events: the next of a seeded series. */
  crossSomewhere(): Promise<void>
}

/** Starts an engine, makes its tables and lets readers of the database find it; it goes when the file's tests are over. */
export async function startCrossing({ db, pool }: Pick<Context, 'db' | 'pool'>): Promise<Crossing> {
  const engine = await startEngine()
  const store = openStore(readEventStore(engine.url), 35)
  await createStore(db, store)
  attachStore(db, store)
  after(async () => {
    await store.close()
    await engine.stop()
  })
  const random = seeded(20)
  const cross = async (until = Date.now() + 60_000): Promise<void> => {
    while ((await copyNext({ db, pool, store, behindMs: 0 })) > 0);
    await moveBorder(db, until, { counted: false })
  }
  return {
    ...{ store, engine, cross },
    async crossSomewhere() {
      const { rows } = await pool.query<{ at: Date }>(
        'select at from events order by at offset floor($1::float * (select count(*) + 1 from events)) limit 1',
        [random()],
      )
      await cross(rows[0]?.at.getTime())
    },
  }
}
