import type { Channel } from '../channels/channel.ts'
import { channels } from '../channels/facts.ts'
import type { VersionSource } from '../channels/version-source.ts'
import type { Cancellation } from '../features/events/record.ts'
import type { AccountId } from '../lib/account.ts'
import { contactId } from '../lib/ids.ts'
import type { ContactRow, Facts } from './facts.ts'
import type { Claimed } from './outbox.ts'

/** What an account says of its sends, at the moment of the claim. */
export interface SendingRules {
  optInField: number | null
  doubleOptInField: number | null
  yesValues: readonly string[]
  serviceIgnoresRedList: boolean
  /** Type of each field, by id. */
  fieldTypes: ReadonlyMap<number, string>
  /** The shown value of a contact's field: labels of lists, not indexes. */
  valueOf: (contact: ContactRow, field: number) => unknown
}

export interface Candidate {
  message: Claimed
  source: VersionSource
  channel: Pick<Channel, 'isSendable' | 'exclusion'>
  facts: Facts
  rules: SendingRules
  now: number
  account: AccountId
}

/** Origins of red list entries that service messages may pass, where the account says so: a form, the unsubscribe link. */
const PASSABLE_ORIGINS = [3, 4]

/** What the contact has in the version's address field; '' when it has nothing. */
export function contactAddress({ source, facts }: Pick<Candidate, 'source' | 'facts'>): string {
  const value = facts.contact?.fields[String(source.settings.field)]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The address a message goes to: its own, or the contact's; '' when there is none. */
export function addressOf(candidate: Pick<Candidate, 'message' | 'source' | 'facts'>): string {
  return candidate.message.address ?? contactAddress(candidate)
}

/** Whether a field of a contact says yes; a date does when it is filled. */
export function saysYes(rules: SendingRules, contact: ContactRow, field: number): boolean {
  const value = rules.valueOf(contact, field)
  if (rules.fieldTypes.get(field) === 'date') return value !== undefined && value !== null
  return rules.yesValues.some((yes) => yes.toLowerCase() === String(value ?? '').toLowerCase())
}

function consentMissing({ source, facts, rules }: Candidate): boolean {
  const { consent } = source.settings
  if (consent === 0) return false
  const field = consent === 1 ? rules.optInField : rules.doubleOptInField
  return field === null || !facts.contact || !saysYes(rules, facts.contact, field)
}

function redListed({ source, facts, rules }: Candidate): boolean {
  if (facts.redListOrigin === null) return false
  return !(
    source.settings.purpose === 'service' &&
    rules.serviceIgnoresRedList &&
    PASSABLE_ORIGINS.includes(facts.redListOrigin)
  )
}

function channelExclusion(candidate: Candidate): Cancellation | undefined {
  return candidate.channel.exclusion?.(candidate.source, addressOf(candidate))
}

/** From when on a message is not handed over for the first time, in milliseconds. */
function endOf({ message, facts }: Pick<Candidate, 'message' | 'facts'>): number {
  return Math.min(message.expiresAt.getTime(), facts.endsAt ?? Number.POSITIVE_INFINITY)
}

/** After a first try the message was handed over: its end is a bounce, not an expiry. */
function isExpired(candidate: Candidate, now: number): boolean {
  return candidate.message.attempts === 0 && endOf(candidate) <= now
}

/** When an exclusion applies, and what it tells. */
interface Exclusion {
  applies: (candidate: Candidate) => boolean
  tell: (candidate: Candidate) => Cancellation
}

const expiry: Exclusion = {
  applies: (candidate) => isExpired(candidate, candidate.now),
  tell: (candidate) => ({ type: 'expired', value: { at: new Date(endOf(candidate)).toISOString() } }),
}

/** The exclusions of actions.md 6 in the order they are checked. */
const exclusions: readonly Exclusion[] = [
  { applies: ({ facts }) => facts.actionDeleted, tell: () => ({ type: 'action deleted' }) },
  expiry,
  {
    applies: ({ message, facts }) => message.contact !== null && facts.contact === null,
    tell: () => ({ type: 'recipient not found' }),
  },
  {
    applies: (candidate) => addressOf(candidate) === '',
    tell: ({ source }) => ({ type: 'empty address', value: { field: source.settings.field } }),
  },
  {
    applies: (candidate) => !candidate.channel.isSendable(addressOf(candidate)),
    tell: ({ source }) => ({ type: 'invalid address', value: { field: source.settings.field } }),
  },
  {
    applies: (candidate) => channelExclusion(candidate) !== undefined,
    tell: (candidate) => channelExclusion(candidate)!,
  },
  {
    applies: ({ facts }) => facts.addressOwner !== null,
    tell: ({ facts }) => ({ type: 'duplicate address', value: { contact: contactId(facts.addressOwner ?? 0) } }),
  },
  {
    applies: ({ message, facts }) => message.address === null && facts.stopped,
    tell: ({ source }) => ({ type: 'bounce', value: { field: source.settings.field } }),
  },
  {
    applies: redListed,
    tell: ({ message }) => ({ type: 'redlist', value: { channel: channels[message.channel].redList } }),
  },
  {
    applies: (candidate) => candidate.message.kind !== 'test' && consentMissing(candidate),
    tell: ({ source }) => ({
      type: 'consent',
      value: { required: source.settings.consent === 1 ? 'opt-in' : 'double opt-in' },
    }),
  },
]

/** Why a message is not handed over: the first exclusion that applies; undefined when none does. */
export function exclusionOf(candidate: Candidate): Cancellation | undefined {
  return exclusions.find(({ applies }) => applies(candidate))?.tell(candidate)
}

/** Why a message that was claimed in time is not handed over any more at `now` (milliseconds); undefined when it may be. */
export function expiryOf(candidate: Candidate, now: number): Cancellation | undefined {
  return isExpired(candidate, now) ? expiry.tell(candidate) : undefined
}

/** The contact as events name it; null for a message to an address. */
export function footprintOf(contact: ContactRow | null) {
  return (
    contact && ({ type: 'footprint', id: contactId(contact.id), unicity: contact.unicity, hash: contact.hash } as const)
  )
}
