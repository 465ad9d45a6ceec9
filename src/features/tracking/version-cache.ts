import { LRUCache } from 'lru-cache'
import type { ContentVersionSource } from '../../channels/version-source.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { type ContentVersionLink, loadContentVersion } from '../../sending/plan/content-version.ts'
import { type PageLanguage, selectPageLanguage } from './pages/languages.ts'
import { withDatabaseTimeout } from './unavailable.ts'

/** The facts of a content version that links, pages and hits need. */
export interface TrackedContentVersion {
  account: AccountId
  accountName: string
  channel: ContentVersionSource['channel']
  kind: 'message' | 'campaign'
  language: PageLanguage
  /** Id of the field that holds the address. */
  field: number
  /** Query parameters that redirects add. */
  analyser: Record<string, string>
  /** The tracked links by their number. */
  links: ReadonlyMap<number, ContentVersionLink>
}

/** A cache of content versions: they never change, so that links work while the database is unavailable. */
export interface ContentVersionCache {
  /** Undefined when the account has no such version. Rejects when it is not cached and cannot be read. */
  find(account: AccountId, id: number): Promise<TrackedContentVersion | undefined>
}

const MAX_CACHED_VERSIONS = 2000

async function loadTrackedVersion(db: Db, account: AccountId, id: number): Promise<TrackedContentVersion | undefined> {
  const version = await loadContentVersion(db, account, id)
  if (!version) return undefined
  const { source, links } = version
  return {
    account,
    accountName: source.account.name,
    channel: source.channel,
    kind: source.action.type.endsWith('Campaign') ? 'campaign' : 'message',
    language: selectPageLanguage(source.settings.culture),
    field: source.settings.field,
    analyser: source.settings.analyser,
    links: new Map(links.map((link) => [link.id, link])),
  }
}

/** Opens an empty cache that evicts the least recently used version first. */
export function openContentVersionCache(db: Db): ContentVersionCache {
  const cachedVersions = new LRUCache<number, Promise<TrackedContentVersion | undefined>>({ max: MAX_CACHED_VERSIONS })

  function readThrough(account: AccountId, id: number): Promise<TrackedContentVersion | undefined> {
    const reading = withDatabaseTimeout(loadTrackedVersion(db, account, id))
    cachedVersions.set(id, reading)
    // Failures and absences are not cached.
    reading.then(
      (facts) => facts ?? cachedVersions.delete(id),
      () => cachedVersions.delete(id),
    )
    return reading
  }

  return {
    async find(account, id) {
      const versionPromise = cachedVersions.get(id) ?? readThrough(account, id)
      const cachedVersion = await versionPromise
      return cachedVersion?.account === account ? cachedVersion : undefined
    },
  }
}
