import type { Db } from '../../../database/connection/connect.ts'
import { OperatorError } from '../../../lib/errors/operator-error.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { EventStoreAddress } from '../../../lib/net/event-store-url.ts'
import { attachEventStore, type EventStore, openEventStore } from '../columnar/store.ts'
import { createEventStore, readEventStoreState } from './store-state.ts'

interface StoreSettings {
  events: EventStoreAddress | undefined
  eventsHotDays: number
}

/** A problem that the operator sees at a start. */
const createUnreachableError = (cause: unknown): OperatorError =>
  new OperatorError(
    `STENTOR_EVENTS_URL: the events store cannot be reached (${describeReason(cause)}). It must be reachable at the first start, to create its tables.`,
  )

function describeReason(error: unknown): string {
  const rootCause = error instanceof Problem ? error.cause : error
  return rootCause instanceof Error ? rootCause.message || rootCause.name : String(rootCause)
}

/**
 * Lets readers of a database find the store of the configuration, whose tables are made when there are none; undefined without
 * one. It may be away. Throws OperatorError where it would have to be there: for the first time, or when none is configured though
 * events are in it alone.
 */
export async function connectEventStore(
  db: Db,
  { events, eventsHotDays }: StoreSettings,
): Promise<EventStore | undefined> {
  const storeState = await readEventStoreState(db)
  if (!events) {
    if (storeState && storeState.border > Number.NEGATIVE_INFINITY)
      throw new OperatorError(
        `Events before ${new Date(storeState.border).toISOString()} are in an events store. Set STENTOR_EVENTS_URL.`,
      )
    return undefined
  }
  const store = openEventStore(events, eventsHotDays)
  if (!storeState)
    await createEventStore(db, store).catch(async (error: unknown) => {
      await store.close()
      throw error instanceof Problem ? createUnreachableError(error) : error
    })
  attachEventStore(db, store)
  return store
}
