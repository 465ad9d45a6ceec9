import { channelTraits } from '../../channels/facts.ts'
import type { SendCancellation } from '../../features/events/record/record.ts'
import { formatContactId } from '../../lib/ids.ts'
import type { RecipientContactRow } from '../prepare/load-recipients.ts'
import type { PreparedMessage, SendingRules } from '../prepare/prepared-message.ts'

/** Origins of red list entries that service messages may pass, where the account says so: a form, the unsubscribe link. */
const PASSABLE_ORIGINS = [3, 4]

/** What the contact has in the version's address field; '' when it has nothing. */
export function getContactAddress({ source, facts }: Pick<PreparedMessage, 'source' | 'facts'>): string {
  const value = facts.contact?.fields[String(source.settings.field)]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The address a message goes to: its own, or the contact's; '' when there is none. */
export function getMessageAddress(prepared: Pick<PreparedMessage, 'message' | 'source' | 'facts'>): string {
  return prepared.message.address ?? getContactAddress(prepared)
}

/** Whether a field of a contact says yes; a date does when it is filled. */
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

function consentMissing({ source, facts, rules }: ExclusionSubject): boolean {
  const { consent } = source.settings
  if (consent === 0) return false
  const field = consent === 1 ? rules.optInField : rules.doubleOptInField
  return field === null || !facts.contact || !hasFieldConsent(rules, facts.contact, field)
}

function redListed({ source, facts, rules }: ExclusionSubject): boolean {
  if (facts.redListOrigin === null) return false
  return !(
    source.settings.purpose === 'service' &&
    rules.serviceIgnoresRedList &&
    PASSABLE_ORIGINS.includes(facts.redListOrigin)
  )
}

function isSound(prepared: ExclusionSubject): boolean {
  return prepared.channel.isSendable(getMessageAddress(prepared), prepared.source)
}

function channelExclusion(prepared: ExclusionSubject): SendCancellation | undefined {
  return isSound(prepared) ? prepared.channel.exclusion?.(prepared.source, getMessageAddress(prepared)) : undefined
}

/** From when on a message is not handed over for the first time, in milliseconds. */
export function getHandoverDeadline({ message, facts }: Pick<PreparedMessage, 'message' | 'facts'>): number {
  return Math.min(message.expiresAt.getTime(), facts.endsAt ?? Number.POSITIVE_INFINITY)
}

/** After a first try the message was handed over: its end is a bounce, not an expiry. */
function isExpired(prepared: ExclusionSubject, now: number): boolean {
  return prepared.message.attempts === 0 && getHandoverDeadline(prepared) <= now
}

function ownExclusion(prepared: ExclusionSubject): SendCancellation | undefined {
  return prepared.channel.ownExclusion?.(prepared, prepared.own)
}

/** When an exclusion applies, and the cancellation it leads to. */
interface Exclusion {
  applies: (prepared: ExclusionSubject) => boolean
  cancellation: (prepared: ExclusionSubject) => SendCancellation
}

const expiry: Exclusion = {
  applies: (prepared) => isExpired(prepared, prepared.now),
  cancellation: (prepared) => ({
    type: 'expired',
    value: { at: new Date(getHandoverDeadline(prepared)).toISOString() },
  }),
}

/** The exclusions of actions.md 6 in the order they are checked: first those of every message. */
const ofAll: readonly Exclusion[] = [
  { applies: ({ facts }) => facts.actionDeleted, cancellation: () => ({ type: 'action deleted' }) },
  expiry,
  {
    applies: ({ message, facts }) => message.contact !== null && facts.contact === null,
    cancellation: () => ({ type: 'recipient not found' }),
  },
]

/** Those of messages that go to the devices of a contact. */
const ofDevices: Exclusion = {
  applies: (prepared) => ownExclusion(prepared) !== undefined,
  cancellation: (prepared) => ownExclusion(prepared)!,
}

/** Those of messages that go to an address, after the ones of all. */
const ofAddresses: readonly Exclusion[] = [
  {
    applies: (prepared) => getMessageAddress(prepared) === '',
    cancellation: ({ source }) => ({ type: 'empty address', value: { field: source.settings.field } }),
  },
  {
    applies: (prepared) => getMessageAddress(prepared) !== '' && !isSound(prepared),
    cancellation: ({ source }) => ({ type: 'invalid address', value: { field: source.settings.field } }),
  },
  {
    applies: (prepared) => channelExclusion(prepared) !== undefined,
    cancellation: (prepared) => channelExclusion(prepared)!,
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
    applies: redListed,
    cancellation: ({ message }) => ({ type: 'redlist', value: { channel: channelTraits[message.channel].redList } }),
  },
  {
    applies: (prepared) => prepared.message.kind !== 'test' && consentMissing(prepared),
    cancellation: ({ source }) => ({
      type: 'consent',
      value: { required: source.settings.consent === 1 ? 'opt-in' : 'double opt-in' },
    }),
  },
]

function exclusionsFor({ channel }: ExclusionSubject): readonly Exclusion[] {
  return [...ofAll, ...(channel.ownExclusion ? [ofDevices] : ofAddresses)]
}

/** Why a message is not handed over: the first exclusion that applies; undefined when none does. */
export function findExclusion(prepared: ExclusionSubject): SendCancellation | undefined {
  return exclusionsFor(prepared)
    .find(({ applies }) => applies(prepared))
    ?.cancellation(prepared)
}

/** Every exclusion that applies, in the order they are checked. */
export function listExclusions(prepared: ExclusionSubject): SendCancellation[] {
  return exclusionsFor(prepared)
    .filter(({ applies }) => applies(prepared))
    .map(({ cancellation }) => cancellation(prepared))
}

/** Why a message that was claimed in time is not handed over any more at `now` (milliseconds); undefined when it may be. */
export function findExpiryCancellation(prepared: PreparedMessage, now: number): SendCancellation | undefined {
  return isExpired(prepared, now) ? expiry.cancellation(prepared) : undefined
}

/** The contact as events name it; null for a message to an address. */
export function toRecipientFootprint(contact: RecipientContactRow | null) {
  return (
    contact &&
    ({ type: 'footprint', id: formatContactId(contact.id), unicity: contact.unicity, hash: contact.hash } as const)
  )
}
