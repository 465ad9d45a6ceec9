import { hash } from 'node:crypto'
import type { Db } from '../../../database/connection/connect.ts'
import { isTransientDbError } from '../../../database/errors.ts'
import { formatUuid } from '../../../lib/ids.ts'
import { buildDisplayEvents } from '../../display/display-hits.ts'
import type { IpAddressDetail } from '../../events/hits/address.ts'
import { appendHits, recordEventsOnce } from '../../events/record/append-hits.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import { isUnavailableError, resolveWithin, TRACKING_DB_TIMEOUT_MS } from '../unavailable.ts'
import type { ContentVersionCache, TrackedContentVersion } from '../version-cache.ts'
import type { AddressDetailCache } from './address-details.ts'
import { isDisplayHit, isPushHit, type MessageHit, type TrackingHit, toHitEvent } from './hits.ts'
import { recordPushHits } from './push-hits.ts'

/** Hits that are stored together or not at all. With their key (a uuid) they count once, however often they are stored. */
export interface HitGroup {
  key: string
  hits: readonly TrackingHit[]
}

/** Dependencies of storing. */
export interface HitStoreContext {
  db: Db
  versions: ContentVersionCache
  addressDetails: AddressDetailCache
}

const MAX_STORE_TRIES = 4

/** Callbacks for failures of storing. */
export interface HitStoreCallbacks {
  /** The hit is lost. */
  refused(hit: TrackingHit, error: unknown): void
  /** The database is unavailable, with the error it gave. */
  unavailable(error: unknown): void
}

/**
 * Stores hits; returns the groups to retry because the database was unavailable, some of which may be stored already.
 * A group that the database refuses is halved until the faulty hits are isolated; those are lost.
 */
export async function storeHitGroups(
  store: HitStoreContext,
  group: HitGroup,
  callbacks: HitStoreCallbacks,
): Promise<HitGroup[]> {
  try {
    return (await tryStoreGroup(store, group, callbacks)) ? [] : [group]
  } catch (error) {
    const [firstHit] = group.hits
    if (firstHit && group.hits.length === 1) callbacks.refused(firstHit, error)
    if (group.hits.length <= 1) return []
    return (await Promise.all(splitGroup(group).map((half) => storeHitGroups(store, half, callbacks)))).flat()
  }
}

/** The halves of a group, each with a key derived from the group's, so that a retry uses the same keys. */
function splitGroup({ key, hits }: HitGroup): HitGroup[] {
  const middleIndex = hits.length >> 1
  return [hits.slice(0, middleIndex), hits.slice(middleIndex)].map((half, n) => ({
    key: formatUuid(hash('sha256', `${key} ${n}`, 'buffer').subarray(0, 16)),
    hits: half,
  }))
}

/** Stores a group; true if it is known to be stored. Rejects if the database refuses one of its hits; then none is stored. */
async function tryStoreGroup(store: HitStoreContext, group: HitGroup, callbacks: HitStoreCallbacks): Promise<boolean> {
  for (let attempt = 1; attempt <= MAX_STORE_TRIES; attempt++) {
    try {
      return await resolveWithin(writeHits(store, group), TRACKING_DB_TIMEOUT_MS, false)
    } catch (error) {
      if (!isUnavailableError(error) && !isTransientDbError(error)) throw error
      if (isUnavailableError(error) || attempt === MAX_STORE_TRIES) {
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
async function writeHits(store: HitStoreContext, { key, hits }: HitGroup): Promise<true> {
  const { db, addressDetails } = store
  const displays = hits.filter(isDisplayHit)
  const messages = hits.filter((hit): hit is MessageHit => !isDisplayHit(hit) && !isPushHit(hit))
  await recordPushHits(db, hits.filter(isPushHit))
  if (displays.length === 0) await appendHits(db, key, await buildHitEvents(store, messages))
  else {
    const hitEvents = [
      ...(await buildDisplayEvents(db, displays, addressDetails)),
      ...(await buildHitEvents(store, messages)),
    ]
    await recordEventsOnce(db, key, hitEvents)
  }
  return true
}

/** The events of hits. A hit of a deleted version has no event. */
async function buildHitEvents(
  { versions, addressDetails }: HitStoreContext,
  hits: readonly MessageHit[],
): Promise<NewEvent[]> {
  const versionsById = new Map<number, TrackedContentVersion | undefined>()
  for (const { token } of hits) {
    if (!versionsById.has(token.version))
      versionsById.set(token.version, await versions.find(token.account, token.version))
  }
  const detailsByAccount = new Map<number, IpAddressDetail>()
  for (const { token } of hits) {
    if (!detailsByAccount.has(token.account)) detailsByAccount.set(token.account, await addressDetails(token.account))
  }
  return hits.flatMap((hit) => {
    const version = versionsById.get(hit.token.version)
    const detail = detailsByAccount.get(hit.token.account)
    return version && detail ? [toHitEvent(hit, version, detail)] : []
  })
}
