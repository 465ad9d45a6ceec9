import { channelTraits } from '../../channels/channel-traits.ts'
import type { SendCancellation } from '../../features/events/record/record.ts'
import { formatContactId } from '../../lib/ids.ts'
import type { RecipientContactRow } from './load-recipients.ts'
import type { PreparedMessage, SendingRules } from './prepared-message.ts'

/** Origins of red list entries that service messages may pass, where the account says so: a form, the unsubscribe link. */
const PASSABLE_ORIGINS = [3, 4]

/** Returns the content of the version's address field of the contact; '' if it is empty. */
export function getContactAddress({ source, facts }: Pick<PreparedMessage, 'source' | 'facts'>): string {
  const value = facts.contact?.fields[String(source.settings.field)]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Returns the address a message is sent to: its own, or the contact's; '' if there is none. */
export function getMessageAddress(prepared: Pick<PreparedMessage, 'message' | 'source' | 'facts'>): string {
  return prepared.message.address ?? getContactAddress(prepared)
}

/** Returns true if a field of a contact grants consent; a date does if it is set. */
export function hasFieldConsent(rules: SendingRules, contact: RecipientContactRow, field: number): boolean {
  const value = rules.valueOf(contact, field)
  if (rules.fieldTypes.get(field) === 'date') return value !== undefined && value !== null
  return rules.yesValues.some((yes) => yes.toLowerCase() === String(value ?? '').toLowerCase())
}

/** A message that is judged, sent or not: what exclusions look at. */
export type ExclusionSubject = Pick<
  PreparedMessage,
  'message' | 'source' | 'facts' | 'rules' | 'channel' | 'own' | 'now'
>

function isConsentMissing({ source, facts, rules }: ExclusionSubject): boolean {
  const { consent } = source.settings
  if (consent === 0) return false
  const field = consent === 1 ? rules.optInField : rules.doubleOptInField
  return field === null || !facts.contact || !hasFieldConsent(rules, facts.contact, field)
}

function isRedListed({ source, facts, rules }: ExclusionSubject): boolean {
  if (facts.redListOrigin === null) return false
  return !(
    source.settings.purpose === 'service' &&
    rules.serviceIgnoresRedList &&
    PASSABLE_ORIGINS.includes(facts.redListOrigin)
  )
}

function isAddressSendable(prepared: ExclusionSubject): boolean {
  return prepared.channel.isSendable(getMessageAddress(prepared), prepared.source)
}

function findChannelExclusion(prepared: ExclusionSubject): SendCancellation | undefined {
  return isAddressSendable(prepared)
    ? prepared.channel.exclusion?.(prepared.source, getMessageAddress(prepared))
    : undefined
}

/** From when on a message is not handed over for the first time, in milliseconds. */
export function getHandoverDeadline({ message, facts }: Pick<PreparedMessage, 'message' | 'facts'>): number {
  return Math.min(message.expiresAt.getTime(), facts.endsAt ?? Number.POSITIVE_INFINITY)
}

/** After a first try the message was handed over: its end is a bounce, not an expiry. */
function isExpired(prepared: ExclusionSubject, now: number): boolean {
  return prepared.message.attempts === 0 && getHandoverDeadline(prepared) <= now
}

function findOwnExclusion(prepared: ExclusionSubject): SendCancellation | undefined {
  return prepared.channel.ownExclusion?.(prepared, prepared.own)
}

/** Condition of an exclusion, and the cancellation it leads to. */
interface ExclusionRule {
  applies: (prepared: ExclusionSubject) => boolean
  cancellation: (prepared: ExclusionSubject) => SendCancellation
}

const expiryRule: ExclusionRule = {
  applies: (prepared) => isExpired(prepared, prepared.now),
  cancellation: (prepared) => ({
    type: 'expired',
    value: { at: new Date(getHandoverDeadline(prepared)).toISOString() },
  }),
}

/** Exclusions of every message, in the order they are checked; those of devices or addresses follow. */
const commonRules: readonly ExclusionRule[] = [
  { applies: ({ facts }) => facts.actionDeleted, cancellation: () => ({ type: 'action deleted' }) },
  expiryRule,
  {
    applies: ({ message, facts }) => message.contact !== null && facts.contact === null,
    cancellation: () => ({ type: 'recipient not found' }),
  },
]

/** Those of messages that go to the devices of a contact. */
const deviceRule: ExclusionRule = {
  applies: (prepared) => findOwnExclusion(prepared) !== undefined,
  cancellation: (prepared) => findOwnExclusion(prepared)!,
}

/** Those of messages that go to an address, after the ones of all. */
const addressRules: readonly ExclusionRule[] = [
  {
    applies: (prepared) => getMessageAddress(prepared) === '',
    cancellation: ({ source }) => ({ type: 'empty address', value: { field: source.settings.field } }),
  },
  {
    applies: (prepared) => getMessageAddress(prepared) !== '' && !isAddressSendable(prepared),
    cancellation: ({ source }) => ({ type: 'invalid address', value: { field: source.settings.field } }),
  },
  {
    applies: (prepared) => findChannelExclusion(prepared) !== undefined,
    cancellation: (prepared) => findChannelExclusion(prepared)!,
  },
  {
    applies: ({ facts }) => facts.addressOwner !== null,
    cancellation: ({ facts }) => ({
      type: 'duplicate address',
      value: { contact: formatContactId(facts.addressOwner ?? 0) },
    }),
  },
  {
    applies: ({ message, facts }) => message.address === null && facts.stopped,
    cancellation: ({ source }) => ({ type: 'bounce', value: { field: source.settings.field } }),
  },
  {
    applies: isRedListed,
    cancellation: ({ message }) => ({ type: 'redlist', value: { channel: channelTraits[message.channel].redList } }),
  },
  {
    applies: (prepared) => prepared.message.kind !== 'test' && isConsentMissing(prepared),
    cancellation: ({ source }) => ({
      type: 'consent',
      value: { required: source.settings.consent === 1 ? 'opt-in' : 'double opt-in' },
    }),
  },
]

function listRules({ channel }: ExclusionSubject): readonly ExclusionRule[] {
  return [...commonRules, ...(channel.ownExclusion ? [deviceRule] : addressRules)]
}

/** Why a message is not handed over: the first exclusion that applies; undefined when none does. */
export function findExclusion(prepared: ExclusionSubject): SendCancellation | undefined {
  return listRules(prepared)
    .find(({ applies }) => applies(prepared))
    ?.cancellation(prepared)
}

/** Every exclusion that applies, in the order they are checked. */
export function listExclusions(prepared: ExclusionSubject): SendCancellation[] {
  return listRules(prepared)
    .filter(({ applies }) => applies(prepared))
    .map(({ cancellation }) => cancellation(prepared))
}

/** Why a message that was claimed in time is not handed over any more at `now` (milliseconds); undefined when it may be. */
export function findExpiryCancellation(prepared: PreparedMessage, now: number): SendCancellation | undefined {
  return isExpired(prepared, now) ? expiryRule.cancellation(prepared) : undefined
}

/** The contact as events name it; null for a message to an address. */
export function toRecipientFootprint(contact: RecipientContactRow | null) {
  return (
    contact &&
    ({ type: 'footprint', id: formatContactId(contact.id), unicity: contact.unicity, hash: contact.hash } as const)
  )
}
