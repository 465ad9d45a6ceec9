import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connect.ts'
import { isPassing } from '../../database/errors.ts'
import { recordEvents } from '../events/effects.ts'
import type { NewEvent } from '../events/new-event.ts'
import type { AddressDetails } from './address-details.ts'
import { isAway, PATIENCE_MS, within } from './away.ts'
import { eventOf, type Hit } from './hits.ts'
import type { VersionCache } from './version-cache.ts'

/** A hit on its way into the database. With a `key` it counts once, however often it is stored. */
export interface PendingHit {
  hit: Hit
  key: string | null
}

/** What storing needs. */
export interface HitStore {
  db: Db
  versions: VersionCache
  addressDetails: AddressDetails
}

/** Not stored: the database is away, and how this transaction ended, if one was begun, is not known. */
type Storing = { isStored: true } | { isStored: false; transaction: string | null }

const MOST_TRIES = 4

/**
 * Stores hits with their effects, in one transaction. Rejects with what the database has against one of them; then none
 * is stored.
 */
async function storeHits(store: HitStore, hits: readonly PendingHit[]): Promise<Storing> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      return await attempt(store, hits)
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }
  return { isStored: false, transaction: null }
}

/** Hits that must wait for the database; `transaction`: the one that may have stored them. */
export interface Unstored {
  hits: readonly PendingHit[]
  transaction: string | null
}

/**
 * Stores hits, and gives those that must wait. A group that the database refuses is halved until the hits at fault stand
 * alone; those are lost, and `refused` is told of each.
 */
export async function storeAll(
  store: HitStore,
  hits: readonly PendingHit[],
  refused: (hit: Hit, error: unknown) => void,
): Promise<Unstored[]> {
  try {
    const storing = await storeHits(store, hits)
    return storing.isStored ? [] : [{ hits, transaction: storing.transaction }]
  } catch (error) {
    const [first] = hits
    if (first && hits.length === 1) refused(first.hit, error)
    if (hits.length <= 1) return []
    const middle = hits.length >> 1
    const halves = [hits.slice(0, middle), hits.slice(middle)]
    return (await Promise.all(halves.map((half) => storeAll(store, half, refused)))).flat()
  }
}

interface Attempt {
  /** Known before anything is written. */
  transaction: string | null
  /** Nobody waits any more: a transaction that had no number by then writes nothing. */
  isGivenUp: boolean
}

async function attempt(store: HitStore, hits: readonly PendingHit[]): Promise<Storing> {
  const state: Attempt = { transaction: null, isGivenUp: false }
  try {
    if (await within(write(store, hits, state), PATIENCE_MS, false)) return { isStored: true }
  } catch (error) {
    if (!isAway(error)) throw error
  }
  state.isGivenUp = true
  return { isStored: false, transaction: state.transaction }
}

async function write(store: HitStore, hits: readonly PendingHit[], state: Attempt): Promise<true> {
  const events = await eventsOf(store, hits)
  await inTransaction(store.db, async (tx) => {
    const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx)
    if (state.isGivenUp) throw new Error('the hits were given up')
    state.transaction = rows[0]?.id ?? null
    await recordEvents(tx, events)
  })
  return true
}

/** The events of hits. A hit of a version that is gone has no message to be told of. */
async function eventsOf({ versions, addressDetails }: HitStore, hits: readonly PendingHit[]): Promise<NewEvent[]> {
  const events = await Promise.all(
    hits.map(async ({ hit, key }) => {
      const { account, version: id } = hit.token
      const version = await versions.find(account, id)
      return version ? [eventOf(hit, version, await addressDetails(account), key)] : []
    }),
  )
  return events.flat()
}

/**
 * How transactions ended whose end was not known, by number: `committed`, `aborted`, or `in progress` still. One that
 * this database never had is missing.
 */
export async function transactionEnds(db: Db, transactions: readonly string[]): Promise<Map<string, string>> {
  if (transactions.length === 0) return new Map()
  const { rows } = await sql<{ id: string; status: string | null }>`
    select id::text, case when id < pg_snapshot_xmax(pg_current_snapshot()) then pg_xact_status(id) end as status
    from unnest(${transactions}::xid8[]) as t (id)`.execute(db)
  return new Map(rows.flatMap(({ id, status }) => (status === null ? [] : [[id, status]])))
}
