import type { VersionSource } from '../../channels/version-source.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { loadVersion, type VersionLink } from '../../outbox/version.ts'
import { soon } from './away.ts'
import { type Language, languageOf } from './languages.ts'

/** What links, pages and hits need of a frozen content. */
export interface VersionFacts {
  account: AccountId
  accountName: string
  channel: VersionSource['channel']
  kind: 'message' | 'campaign'
  language: Language
  /** Id of the field that holds the address. */
  field: number
  /** Query parameters that redirects add. */
  analyser: Record<string, string>
  /** The tracked links by their number. */
  links: ReadonlyMap<number, VersionLink>
}

/** The versions that links lead to, kept in memory: they never change, so a link leads on while the database is away. */
export interface VersionCache {
  /** Undefined when there is no such version of that account. Rejects when it must be read and cannot. */
  find(account: AccountId, id: number): Promise<VersionFacts | undefined>
}

const MOST_VERSIONS = 2000

async function readVersion(db: Db, account: AccountId, id: number): Promise<VersionFacts | undefined> {
  const version = await loadVersion(db, account, id)
  if (!version) return undefined
  const { source, links } = version
  return {
    account,
    accountName: source.account.name,
    channel: source.channel,
    kind: source.action.type.endsWith('Campaign') ? 'campaign' : 'message',
    language: languageOf(source.settings.culture),
    field: source.settings.field,
    analyser: source.settings.analyser,
    links: new Map(links.map((link) => [link.id, link])),
  }
}

/** Opens an empty cache; the versions that were asked for least lately go first. */
export function openVersionCache(db: Db): VersionCache {
  const kept = new Map<number, Promise<VersionFacts | undefined>>()

  function read(account: AccountId, id: number): Promise<VersionFacts | undefined> {
    const reading = soon(readVersion(db, account, id))
    // Neither a failure nor an absence is worth remembering.
    reading.then(
      (facts) => facts ?? kept.delete(id),
      () => kept.delete(id),
    )
    return reading
  }

  return {
    async find(account, id) {
      const facts = kept.get(id) ?? read(account, id)
      kept.delete(id)
      kept.set(id, facts)
      if (kept.size > MOST_VERSIONS) kept.delete(kept.keys().next().value ?? 0)
      const found = await facts
      return found?.account === account ? found : undefined
    },
  }
}
