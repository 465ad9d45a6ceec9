import { LRUCache } from 'lru-cache'
import type { ChannelModule } from '../../channels/channel.ts'
import type { SendingChannelName } from '../../channels/channel-traits.ts'
import { loadChannel } from '../../channels/load-channel.ts'
import { toContentSource } from '../../channels/version-source.ts'
import type { Db } from '../../database/connection/connect.ts'
import { readSendingSettings } from '../../features/accounts/sending-settings.ts'
import { findOldestCampaign, type TemplateCampaign } from '../../features/campaign-groups/oldest.ts'
import type { StoredValue } from '../../features/contacts/fields/identity.ts'
import type { ContactShape } from '../../features/contacts/values/contact-shape.ts'
import { loadContactShape } from '../../features/contacts/values/stored-shape.ts'
import { formatFieldValue } from '../../features/contacts/values/values.ts'
import { compileContent } from '../../features/rendering/compile.ts'
import type { AccountId } from '../../lib/account.ts'
import { formatContactId } from '../../lib/ids.ts'
import { type Clock, isStillWaiting } from '../../lib/time/clock.ts'
import { loadContentVersion } from '../plan/content-version.ts'
import type { RecipientContactRow } from './load-recipients.ts'
import type { CompiledContentVersion, SenderAccount } from './prepared-message.ts'

/** Cache lifetime of an account's sending settings and of a campaign's name: a change applies to messages claimed a second later. */
const CACHE_AGE_MS = 1000
const MAX_CACHED_VERSIONS = 200
const MAX_CACHE_ENTRIES = 10_000

/** Sources of messages, cached by a sender between batches. */
export interface SenderCache {
  version(account: AccountId, id: number): Promise<CompiledContentVersion>
  /** `db`: a transaction that asks, so that it needs no second connection. */
  account(account: AccountId, db?: Db): Promise<SenderAccount>
  /** The campaign that templates of an action name. */
  campaign(account: AccountId, action: number): Promise<TemplateCampaign | null>
}

function createValueReader(shape: ContactShape): (contact: RecipientContactRow, field: number) => unknown {
  const fieldsById = new Map(shape.fields.map((field) => [field.id, field]))
  return ({ fields }, id) => {
    const field = fieldsById.get(id)
    return field && formatFieldValue(field.type, fields[String(id)] as StoredValue | undefined, shape.labels(field))
  }
}

async function loadSenderAccount(db: Db, account: AccountId): Promise<SenderAccount> {
  const shape = await loadContactShape(db, account)
  const { optInField, doubleOptInField, yesValues, serviceIgnoresRedList, ...sending } = await readSendingSettings(
    db,
    account,
  )
  const readValue = createValueReader(shape)
  const fieldTypes = new Map(shape.fields.map(({ id, type }) => [id, type]))
  return {
    fieldNames: shape.fields.map(({ id, name }) => ({ id, name })),
    rules: { optInField, doubleOptInField, yesValues, serviceIgnoresRedList, fieldTypes, valueOf: readValue },
    inDoubt: sending.inDoubt,
    domains: sending.domains,
    unverifiedDomain: sending.unverifiedDomain,
    attachmentHosts: sending.attachmentHosts,
    valuesOf(contact, needs = shape) {
      const fields: Record<string, unknown> = {}
      for (const { id } of needs.fields) fields[id] = readValue(contact, id) ?? null
      return { id: formatContactId(contact.id), unicity: contact.unicity, hash: contact.hash, fields }
    },
  }
}

/** Reads by number, and again after CACHED_MS; the oldest numbers go first. */
function createNumberCache<More extends unknown[], Read>(
  clock: Clock,
  readEntry: (number: number, ...extraArgs: More) => Promise<Read>,
): (number: number, ...extraArgs: More) => Promise<Read> {
  const cachedEntries = new LRUCache<number, { until: number; value: Promise<Read> }>({ max: MAX_CACHE_ENTRIES })
  return (number, ...extraArgs) => {
    const cachedEntry = cachedEntries.get(number)
    if (cachedEntry && isStillWaiting(cachedEntry.until, { now: clock.now(), longestMs: CACHE_AGE_MS }))
      return cachedEntry.value
    const value = readEntry(number, ...extraArgs)
    cachedEntries.set(number, { until: clock.now() + CACHE_AGE_MS, value })
    value.catch(() => cachedEntries.delete(number))
    return value
  }
}

/** Opens the cache of a sender: versions compiled once, accounts read again every second. */
export function openSenderCache(
  db: Db,
  clock: Clock,
  channelOf: (name: SendingChannelName) => Promise<ChannelModule> = loadChannel,
): SenderCache {
  const versionCache = new LRUCache<number, Promise<CompiledContentVersion>>({ max: MAX_CACHED_VERSIONS })
  const account = createNumberCache(clock, (id: AccountId, readingDb: Db = db) => loadSenderAccount(readingDb, id))
  const readCampaign = createNumberCache(clock, (action: number, owner: AccountId) =>
    findOldestCampaign(db, owner, action),
  )

  async function compileVersion(account: AccountId, id: number): Promise<CompiledContentVersion> {
    const contentVersion = await loadContentVersion(db, account, id)
    if (!contentVersion) throw new Error(`content version ${id} is gone`)
    const { source } = contentVersion
    const channel = await channelOf(source.channel)
    const compiled = compileContent(toContentSource(source))
    return { id, source, compiled, channel, compose: channel.composer(source) }
  }

  return {
    version(account, id) {
      const cachedVersion = versionCache.get(id)
      if (cachedVersion) return cachedVersion
      const compiled = compileVersion(account, id)
      versionCache.set(id, compiled)
      compiled.catch(() => versionCache.delete(id))
      return compiled
    },
    account,
    campaign: (owner, action) => readCampaign(action, owner),
  }
}
