import { hash } from 'node:crypto'
import type { Db } from '../../database/connect.ts'
import { isPassing } from '../../database/errors.ts'
import { uuidText } from '../../lib/ids.ts'
import { displayEvents } from '../display/display-hits.ts'
import type { AddressDetail } from '../events/address.ts'
import { appendHits, recordOnce } from '../events/append-hits.ts'
import type { NewEvent } from '../events/new-event.ts'
import type { AddressDetails } from './address-details.ts'
import { isAway, PATIENCE_MS, within } from './away.ts'
import { eventOf, type Hit, isDisplay, type MessageHit } from './hits.ts'
import type { VersionCache, VersionFacts } from './version-cache.ts'

/** Hits that are stored together or not at all. With their key (a uuid) they count once, however often they are stored. */
export interface HitGroup {
  key: string
  hits: readonly Hit[]
}

/** What storing needs. */
export interface HitStore {
  db: Db
  versions: VersionCache
  addressDetails: AddressDetails
}

const MOST_TRIES = 4

/** Who is told how storing went wrong. */
export interface StoreWatch {
  /** The hit is lost. */
  refused(hit: Hit, error: unknown): void
  /** The database is away, and this is what it said. */
  away(error: unknown): void
}

/**
 * Stores hits, and gives the groups that must wait: the database is away, and whether they are stored is not always known.
 * A group that the database refuses is halved until the hits at fault stand alone; those are lost.
 */
export async function storeAll(store: HitStore, group: HitGroup, watch: StoreWatch): Promise<HitGroup[]> {
  try {
    return (await isStored(store, group, watch)) ? [] : [group]
  } catch (error) {
    const [first] = group.hits
    if (first && group.hits.length === 1) watch.refused(first, error)
    if (group.hits.length <= 1) return []
    return (await Promise.all(halvesOf(group).map((half) => storeAll(store, half, watch)))).flat()
  }
}

/** The halves of a group, each with a key of its own: always the same one, should the whole be tried again. */
function halvesOf({ key, hits }: HitGroup): HitGroup[] {
  const middle = hits.length >> 1
  return [hits.slice(0, middle), hits.slice(middle)].map((half, n) => ({
    key: uuidText(hash('sha256', `${key} ${n}`, 'buffer').subarray(0, 16)),
    hits: half,
  }))
}

/** Whether a group is stored for sure. Rejects with what the database has against one of its hits; then none is stored. */
async function isStored(store: HitStore, group: HitGroup, watch: StoreWatch): Promise<boolean> {
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    try {
      return await within(write(store, group), PATIENCE_MS, false)
    } catch (error) {
      if (!isAway(error) && !isPassing(error)) throw error
      if (isAway(error) || tries === MOST_TRIES) {
        watch.away(error)
        return false
      }
    }
  }
  return false
}

/** Hits of messages take the short way; those of display contents have natural keys, and what they name is looked up. */
async function write(store: HitStore, { key, hits }: HitGroup): Promise<true> {
  const { db, addressDetails } = store
  const displays = hits.filter(isDisplay)
  const messages = hits.filter((hit): hit is MessageHit => !isDisplay(hit))
  if (displays.length === 0) await appendHits(db, key, await eventsOf(store, messages))
  else {
    const events = [...(await displayEvents(db, displays, addressDetails)), ...(await eventsOf(store, messages))]
    await recordOnce(db, key, events)
  }
  return true
}

/** The events of hits. A hit of a version that is gone has no message to be told of. */
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
