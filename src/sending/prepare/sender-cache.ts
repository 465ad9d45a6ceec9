import { LRUCache } from 'lru-cache'
import type { ChannelModule } from '../../channels/channel.ts'
import type { SendingChannelName } from '../../channels/facts.ts'
import { loadChannel } from '../../channels/registry.ts'
import { toContentSource } from '../../channels/version-source.ts'
import type { Db } from '../../database/connection/connect.ts'
import { readSendingSettings } from '../../features/accounts/sending-settings.ts'
import { findOldestCampaign, type TemplateCampaign } from '../../features/campaigns/oldest.ts'
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

/** How long what an account says of its sends, and the name of a campaign, is cached: a change counts for messages claimed a second later. */
const CACHED_MS = 1000
const MAX_VERSIONS = 200
const MAX_CACHED = 10_000

/** What messages are made from, kept by a sender between batches. */
export interface SenderCache {
  version(account: AccountId, id: number): Promise<CompiledContentVersion>
  /** `db`: a transaction that asks, so that it needs no second connection. */
  account(account: AccountId, db?: Db): Promise<SenderAccount>
  /** The campaign that templates of an action name. */
  campaign(account: AccountId, action: number): Promise<TemplateCampaign | null>
}

function valueReader(shape: ContactShape): (contact: RecipientContactRow, field: number) => unknown {
  const byId = new Map(shape.fields.map((field) => [field.id, field]))
  return ({ fields }, id) => {
    const field = byId.get(id)
    return field && formatFieldValue(field.type, fields[String(id)] as StoredValue | undefined, shape.labels(field))
  }
}

async function loadAccount(db: Db, account: AccountId): Promise<SenderAccount> {
  const shape = await loadContactShape(db, account)
  const { optInField, doubleOptInField, yesValues, serviceIgnoresRedList, ...sending } = await readSendingSettings(
    db,
    account,
  )
  const shown = valueReader(shape)
  const fieldTypes = new Map(shape.fields.map(({ id, type }) => [id, type]))
  return {
    fieldNames: shape.fields.map(({ id, name }) => ({ id, name })),
    rules: { optInField, doubleOptInField, yesValues, serviceIgnoresRedList, fieldTypes, valueOf: shown },
    inDoubt: sending.inDoubt,
    domains: sending.domains,
    unverifiedDomain: sending.unverifiedDomain,
    attachmentHosts: sending.attachmentHosts,
    valuesOf(contact, needs = shape) {
      const fields: Record<string, unknown> = {}
      for (const { id } of needs.fields) fields[id] = shown(contact, id) ?? null
      return { id: formatContactId(contact.id), unicity: contact.unicity, hash: contact.hash, fields }
    },
  }
}

/** Reads by number, and again after CACHED_MS; the oldest numbers go first. */
function cached<More extends unknown[], Read>(
  clock: Clock,
  read: (number: number, ...more: More) => Promise<Read>,
): (number: number, ...more: More) => Promise<Read> {
  const kept = new LRUCache<number, { until: number; value: Promise<Read> }>({ max: MAX_CACHED })
  return (number, ...more) => {
    const known = kept.get(number)
    if (known && isStillWaiting(known.until, { now: clock.now(), longestMs: CACHED_MS })) return known.value
    const value = read(number, ...more)
    kept.set(number, { until: clock.now() + CACHED_MS, value })
    value.catch(() => kept.delete(number))
    return value
  }
}

/** Opens the cache of a sender: versions compiled once, accounts read again every second. */
export function openSenderCache(
  db: Db,
  clock: Clock,
  channelOf: (name: SendingChannelName) => Promise<ChannelModule> = loadChannel,
): SenderCache {
  const versions = new LRUCache<number, Promise<CompiledContentVersion>>({ max: MAX_VERSIONS })
  const account = cached(clock, (id: AccountId, own: Db = db) => loadAccount(own, id))
  const campaign = cached(clock, (action: number, owner: AccountId) => findOldestCampaign(db, owner, action))

  async function compile(account: AccountId, id: number): Promise<CompiledContentVersion> {
    const version = await loadContentVersion(db, account, id)
    if (!version) throw new Error(`content version ${id} is gone`)
    const { source } = version
    const channel = await channelOf(source.channel)
    const compiled = compileContent(toContentSource(source))
    return { id, source, compiled, channel, compose: channel.composer(source) }
  }

  return {
    version(account, id) {
      const known = versions.get(id)
      if (known) return known
      const compiled = compile(account, id)
      versions.set(id, compiled)
      compiled.catch(() => versions.delete(id))
      return compiled
    },
    account,
    campaign: (owner, action) => campaign(action, owner),
  }
}
