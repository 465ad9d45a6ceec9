import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import { isUnavailable } from '../../database/errors.ts'
import { Problem } from '../../lib/problem.ts'
import type { EventSettings } from '../events/event-settings.ts'
import type { Tag } from './tokens.ts'

/** What the answer to a tag's request depends on. */
export interface Destination {
  /** Where the content leads at present. */
  url: string
  /** When the account lets the cookie tell who somebody is. */
  identity: EventSettings['displayIdentity']
  /** Whether the contact whom the tag names exists: nobody else gets a cookie. */
  isContact: boolean
}

const MAX_DESTINATIONS = 2000

/**
 * Where tags lead, read at every request: a changed address counts at once. The last known answers are kept for when
 * the database is away; then nobody gets a cookie.
 */
export interface Destinations {
  /** Undefined when there never was such a content. Rejects when it must be read and cannot. */
  find(tag: Tag): Promise<Destination | undefined>
}

async function readDestination(db: Db, { account, content, contact }: Tag): Promise<Destination | undefined> {
  const { rows } = await sql<Destination>`
    select c.url, coalesce(a.settings #>> '{events,displayIdentity}', 'none') as identity,
      exists (select from contacts k where k.account = c.account and k.id = ${contact}::bigint) as "isContact"
    from display_contents c join accounts a on a.id = c.account
    where c.account = ${account} and c.number = ${content}::bigint`.execute(db)
  return rows[0]
}

/** Opens an empty memory; the contents that were asked for least lately go first. `soon` rejects what takes too long with a Problem. */
export function openDestinations(db: Db, soon: <T>(reading: Promise<T>) => Promise<T>): Destinations {
  const kept = new LRUCache<number, Destination>({ max: MAX_DESTINATIONS })
  return {
    async find(tag) {
      try {
        const found = await soon(readDestination(db, tag))
        if (found) kept.set(tag.content, { ...found, isContact: false })
        else kept.delete(tag.content)
        return found
      } catch (error) {
        const last = kept.get(tag.content)
        if (!last || !(isUnavailable(error) || error instanceof Problem)) throw error
        return last
      }
    },
  }
}
