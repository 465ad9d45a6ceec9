import { hash } from 'node:crypto'
import type { Db } from '../../../database/connection/connect.ts'
import { isPassing } from '../../../database/errors.ts'
import { uuidText } from '../../../lib/ids.ts'
import { displayEvents } from '../../display/display-hits.ts'
import type { AddressDetail } from '../../events/hits/address.ts'
import { appendHits, recordOnce } from '../../events/record/append-hits.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import { DATABASE_TIMEOUT_MS, isServiceUnavailable, valueWithin } from '../unavailable.ts'
import type { VersionCache, VersionFacts } from '../version-cache.ts'
import type { AddressDetails } from './address-details.ts'
import { eventOf, type Hit, isDisplay, isPush, type MessageHit } from './hits.ts'
import { recordPushHits } from './push-hits.ts'

/** Hits that are stored together or not at all. With their key (a uuid) they count once, however often they are stored. */
export interface HitGroup {
  key: string
  hits: readonly Hit[]
}

/** Dependencies of storing. */
export interface HitStore {
  db: Db
  versions: VersionCache
  addressDetails: AddressDetails
}

const MAX_TRIES = 4

/** Callbacks for failures of storing. */
export interface StoreCallbacks {
  /** The hit is lost. */
  refused(hit: Hit, error: unknown): void
  /** The database is unavailable, with the error it gave. */
  unavailable(error: unknown): void
}

/**
 * Stores hits; returns the groups to retry because the database was unavailable, some of which may be stored already.
 * A group that the database refuses is halved until the faulty hits are isolated; those are lost.
 */
export async function storeAll(store: HitStore, group: HitGroup, callbacks: StoreCallbacks): Promise<HitGroup[]> {
  try {
    return (await isStored(store, group, callbacks)) ? [] : [group]
  } catch (error) {
    const [first] = group.hits
    if (first && group.hits.length === 1) callbacks.refused(first, error)
    if (group.hits.length <= 1) return []
    return (await Promise.all(halvesOf(group).map((half) => storeAll(store, half, callbacks)))).flat()
  }
}

/** The halves of a group, each with a key derived from the group's, so that a retry uses the same keys. */
function halvesOf({ key, hits }: HitGroup): HitGroup[] {
  const middle = hits.length >> 1
  return [hits.slice(0, middle), hits.slice(middle)].map((half, n) => ({
    key: uuidText(hash('sha256', `${key} ${n}`, 'buffer').subarray(0, 16)),
    hits: half,
  }))
}

/** Whether a group is known to be stored. Rejects when the database refuses one of its hits; then none is stored. */
async function isStored(store: HitStore, group: HitGroup, callbacks: StoreCallbacks): Promise<boolean> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    try {
      return await valueWithin(write(store, group), DATABASE_TIMEOUT_MS, false)
    } catch (error) {
      if (!isServiceUnavailable(error) && !isPassing(error)) throw error
      if (isServiceUnavailable(error) || tries === MAX_TRIES) {
        callbacks.unavailable(error)
        return false
      }
    }
  }
  return false
}

/**
 * Hits of messages take the fast path; those of display contents have natural keys, and what they name is looked up. What apps
 * reported has natural keys alone, so that it may be stored again when the rest of the group is.
 */
async function write(store: HitStore, { key, hits }: HitGroup): Promise<true> {
  const { db, addressDetails } = store
  const displays = hits.filter(isDisplay)
  const messages = hits.filter((hit): hit is MessageHit => !isDisplay(hit) && !isPush(hit))
  await recordPushHits(db, hits.filter(isPush))
  if (displays.length === 0) await appendHits(db, key, await eventsOf(store, messages))
  else {
    const events = [...(await displayEvents(db, displays, addressDetails)), ...(await eventsOf(store, messages))]
    await recordOnce(db, key, events)
  }
  return true
}

/** The events of hits. A hit of a deleted version has no event. */
async function eventsOf({ versions, addressDetails }: HitStore, hits: readonly MessageHit[]): Promise<NewEvent[]> {
  const facts = new Map<number, VersionFacts | undefined>()
  for (const { token } of hits) {
    if (!facts.has(token.version)) facts.set(token.version, await versions.find(token.account, token.version))
  }
  const details = new Map<number, AddressDetail>()
  for (const { token } of hits) {
    if (!details.has(token.account)) details.set(token.account, await addressDetails(token.account))
  }
  return hits.flatMap((hit) => {
    const version = facts.get(hit.token.version)
    const detail = details.get(hit.token.account)
    return version && detail ? [eventOf(hit, version, detail)] : []
  })
}
