import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { Problem } from '../../lib/errors/problem.ts'
import type { EventSettings } from '../events/settings/event-settings.ts'
import type { DisplayTag } from './tokens.ts'

/** The data that the answer to a request of a tag depends on. */
export interface DisplayTarget {
  /** The current target of the content. */
  url: string
  /** The cases in which the account allows the cookie to identify visitors. */
  identity: EventSettings['displayIdentity']
  /** True if the contact named by the tag exists: a cookie is set for no other. */
  isContact: boolean
}

const MAX_CACHED_TARGETS = 2000

/**
 * The targets of tags, read at every request: a changed address takes effect at once. The latest answers are cached for
 * when the database is unavailable; then no cookie is set.
 */
export interface DisplayTargetCache {
  /** Undefined when there never was such a content. Rejects when it is not cached and cannot be read. */
  find(tag: DisplayTag): Promise<DisplayTarget | undefined>
}

async function readDisplayTarget(
  db: Db,
  { account, content, contact }: DisplayTag,
): Promise<DisplayTarget | undefined> {
  const { rows } = await sql<DisplayTarget>`
    select c.url, coalesce(a.settings #>> '{events,displayIdentity}', 'none') as identity,
      exists (select from contacts k where k.account = c.account and k.id = ${contact}::bigint) as "isContact"
    from display_contents c join accounts a on a.id = c.account
    where c.account = ${account} and c.number = ${content}::bigint`.execute(db)
  return rows[0]
}

/** Opens an empty cache. `withTimeout` rejects slow reads with a Problem. */
export function openDisplayTargetCache(
  db: Db,
  withTimeout: <T>(reading: Promise<T>) => Promise<T>,
): DisplayTargetCache {
  const cache = new LRUCache<number, DisplayTarget>({ max: MAX_CACHED_TARGETS })
  return {
    async find(tag) {
      try {
        const currentTarget = await withTimeout(readDisplayTarget(db, tag))
        if (currentTarget) cache.set(tag.content, { ...currentTarget, isContact: false })
        else cache.delete(tag.content)
        return currentTarget
      } catch (error) {
        const cachedTarget = cache.get(tag.content)
        if (!cachedTarget || !(isDatabaseUnavailable(error) || error instanceof Problem)) throw error
        return cachedTarget
      }
    },
  }
}
