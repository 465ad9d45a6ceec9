import type { Channel, Compose } from '../channels/channel.ts'
import { loadChannel } from '../channels/registry.ts'
import { contentSourceOf, type VersionSource } from '../channels/version-source.ts'
import type { Db } from '../database/connect.ts'
import type { AccountKeys } from '../features/accounts/domain-keys.ts'
import { readSendingSettings } from '../features/accounts/sending-settings.ts'
import type { SendingSettings } from '../features/accounts/sending-settings-schemas.ts'
import { type NamedCampaign, oldestCampaign } from '../features/campaigns/oldest.ts'
import { type ContactShape, loadShape } from '../features/contacts/shape.ts'
import { showValue } from '../features/contacts/values.ts'
import type { StoredValue } from '../features/fields/identity.ts'
import { compileContent } from '../features/rendering/compile.ts'
import type { CompiledContent } from '../features/rendering/content.ts'
import type { ContactValues, FieldNeeds } from '../features/rendering/scope.ts'
import type { AccountId } from '../lib/account.ts'
import type { Clock } from '../lib/clock.ts'
import { contactId } from '../lib/ids.ts'
import type { Candidate, SendingRules } from './exclusions.ts'
import type { ContactRow } from './facts.ts'
import { loadVersion } from './version.ts'

/** How long what an account says of its sends, and the name of a campaign, is trusted: a change counts for messages claimed a second later. */
const TRUST_MS = 1000
const MOST_VERSIONS = 200
const MOST_TRUSTED = 10_000

/** A frozen content, compiled once for all messages of a sender. */
export interface CompiledVersion {
  id: number
  source: VersionSource
  compiled: CompiledContent
  channel: Channel
  compose: Compose
}

/** What an account gives to every message of its own. */
export interface SenderAccount extends Pick<SendingSettings, 'domains' | 'unverifiedDomain' | 'attachmentHosts'> {
  rules: SendingRules
  inDoubt: 'hold' | 'send'
  /** A contact as templates see it: labels instead of indexes, null for empty fields. All fields, or those of `needs`. */
  valuesOf(contact: ContactRow, needs?: Pick<FieldNeeds, 'fields'>): ContactValues
}

/** A claimed message with everything it is judged and made by. */
export interface PreparedMessage extends Candidate {
  version: CompiledVersion
  owner: SenderAccount
  /** What the account signs with, by domain. */
  keys: AccountKeys['byDomain']
  /** The oldest campaign that holds the action; undefined where the template does not name it. */
  campaign?: NamedCampaign | null
  /** What was at the addresses of its attachments. */
  fetched?: ReadonlyMap<string, Buffer>
}

/** What messages are made from, kept by a sender between batches. */
export interface SenderCache {
  version(account: AccountId, id: number): Promise<CompiledVersion>
  account(account: AccountId): Promise<SenderAccount>
  /** The campaign that templates of an action name. */
  campaign(account: AccountId, action: number): Promise<NamedCampaign | null>
}

function valueReader(shape: ContactShape): (contact: ContactRow, field: number) => unknown {
  const byId = new Map(shape.fields.map((field) => [field.id, field]))
  return ({ fields }, id) => {
    const field = byId.get(id)
    return field && showValue(field.type, fields[String(id)] as StoredValue | undefined, shape.labels(field))
  }
}

async function loadAccount(db: Db, account: AccountId): Promise<SenderAccount> {
  const shape = await loadShape(db, account)
  const { optInField, doubleOptInField, yesValues, serviceIgnoresRedList, ...sending } = await readSendingSettings(
    db,
    account,
  )
  const shown = valueReader(shape)
  const fieldTypes = new Map(shape.fields.map(({ id, type }) => [id, type]))
  return {
    rules: { optInField, doubleOptInField, yesValues, serviceIgnoresRedList, fieldTypes, valueOf: shown },
    inDoubt: sending.inDoubt,
    domains: sending.domains,
    unverifiedDomain: sending.unverifiedDomain,
    attachmentHosts: sending.attachmentHosts,
    valuesOf(contact, needs = shape) {
      const fields: Record<string, unknown> = {}
      for (const { id } of needs.fields) fields[id] = shown(contact, id) ?? null
      return { id: contactId(contact.id), unicity: contact.unicity, hash: contact.hash, fields }
    },
  }
}

/** What is read of a number, read again when it was trusted long enough; that of the last numbers is kept. */
function trusted<More extends unknown[], Read>(
  clock: Clock,
  read: (number: number, ...more: More) => Promise<Read>,
): (number: number, ...more: More) => Promise<Read> {
  const kept = new Map<number, { until: number; value: Promise<Read> }>()
  return (number, ...more) => {
    const known = kept.get(number)
    if (known && known.until > clock.now()) return known.value
    kept.delete(number)
    if (kept.size >= MOST_TRUSTED) kept.delete(kept.keys().next().value ?? 0)
    const value = read(number, ...more)
    kept.set(number, { until: clock.now() + TRUST_MS, value })
    value.catch(() => kept.delete(number))
    return value
  }
}

/** Opens the store of a sender: versions compiled once (the oldest go first), accounts read again every second. */
export function openSenderCache(db: Db, clock: Clock): SenderCache {
  const versions = new Map<number, Promise<CompiledVersion>>()
  const account = trusted(clock, (id: AccountId) => loadAccount(db, id))
  const campaign = trusted(clock, (action: number, owner: AccountId) => oldestCampaign(db, owner, action))

  async function compile(account: AccountId, id: number): Promise<CompiledVersion> {
    const version = await loadVersion(db, account, id)
    if (!version) throw new Error(`content version ${id} is gone`)
    const { source } = version
    const channel = await loadChannel(source.channel)
    const compiled = compileContent(contentSourceOf(source))
    return { id, source, compiled, channel, compose: channel.composer(source) }
  }

  return {
    version(account, id) {
      const known = versions.get(id)
      if (known) return known
      if (versions.size >= MOST_VERSIONS) versions.delete(versions.keys().next().value ?? 0)
      const compiled = compile(account, id)
      versions.set(id, compiled)
      compiled.catch(() => versions.delete(id))
      return compiled
    },
    account,
    campaign: (owner, action) => campaign(action, owner),
  }
}
