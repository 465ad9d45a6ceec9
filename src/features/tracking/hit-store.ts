import { sql } from 'kysely'
import pg from 'pg'
import { type Db, inTransaction } from '../../database/connect.ts'
import { isUnavailable } from '../../database/errors.ts'
import { recordEvents } from '../events/effects.ts'
import type { NewEvent } from '../events/new-event.ts'
import type { AddressDetails } from './address-details.ts'
import { eventOf, type Hit } from './hits.ts'
import type { VersionCache, VersionFacts } from './version-cache.ts'
import { within } from './within.ts'

/** A hit on its way into the database. `key` makes one that was spooled count once. */
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

/**
 * What became of hits: stored; or the database is away, with the number of the transaction whose end is not known, if
 * one was begun.
 */
export type Storing = { isStored: true } | { isStored: false; transaction: string | null }

/** A database that takes longer is taken for away: nobody waits longer for a redirect. */
const PATIENCE_MS = 2000
const MOST_TRIES = 4

/** SQLSTATE of what a repetition cures: serialisation, deadlock, and the transaction time-out of `events.md` 7. */
const passing = new Set(['40001', '40P01', '25P04'])

/**
 * Stores hits in one transaction with their effects. Rejects with what the database has against one of them, and then
 * none is stored.
 */
export async function storeHits(store: HitStore, hits: readonly PendingHit[]): Promise<Storing> {
  for (let tries = 1; ; tries++) {
    const attempt = new Attempt()
    try {
      return await within(attempt.run(store, hits), PATIENCE_MS, undefined) ?? attempt.giveUp()
    } catch (error) {
      if (isUnavailable(error)) return attempt.giveUp()
      if (!isPassing(error) || tries === MOST_TRIES) throw error
    }
  }
}
