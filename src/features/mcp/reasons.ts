import { channelRedListNames } from '../../channels/channel-traits.ts'
import { emailChannelTraits } from '../../channels/email/traits.ts'

/** Why a contact is not written to, in words, by the type of the reason. */
const REASON_TEXTS: Readonly<Record<string, string>> = {
  'action deleted': 'The message was deleted',
  attachment: 'An attachment could not be fetched',
  bounce: 'Messages to the address bounced, and the address is flagged',
  capping: 'A workflow reached its limit of messages to the contact',
  configuration: 'The gateway refused the settings of the account',
  consent: 'Consent is missing',
  country: 'The country of the number is not allowed',
  'duplicate address': 'Another contact has the same address',
  'empty address': 'The contact has no address: the field is empty or missing',
  expired: 'The message expired',
  'invalid address': 'The address is not valid',
  'marketing pressure': 'The limit on marketing messages is reached',
  'no subscription': 'The contact has no active device that receives notifications',
  'opted out': 'Notifications are turned off',
  'recipient not found': 'The contact no longer exists',
  redlist: 'The contact is on the suppression list (red list)',
  'render error': 'The message could not be rendered',
  'user defined policy': 'The content of the message excludes the contact',
}

/** Explanations of how a contact was added to a red list, by the number of the origin. */
const ORIGIN_TEXTS: readonly string[] = [
  'unknown reason',
  'added through the API or by a user',
  'unsubscribed in an import',
  'unsubscribed with a form',
  'unsubscribed with the link of a message',
  'complained to the provider',
  'replied STOP',
  'on the blocklist of the SMS provider',
  'blocked by the administration of the SMS provider',
  'blocked by the SMS provider for another reason',
]

/** Explains an origin of an entry of a red list. */
export function describeRedListOrigin(origin: number): string {
  return ORIGIN_TEXTS[origin] ?? ORIGIN_TEXTS[0]!
}

/** Explanations of the flags of an address, by code. */
const FLAG_TEXTS: Readonly<Record<number, string>> = {
  3: 'the address was confirmed',
  4: 'messages were deferred by the receiving side',
  51: 'its domain is unknown',
  52: 'the mailbox or number is unknown',
  53: 'messages bounced permanently',
  54: 'refused by a policy of the receiving side',
  6: 'the contact reported a message as spam',
}

/** Data of a contact that explains reasons. */
export interface ExclusionContext {
  redList?: Readonly<Record<string, { timestamp: string; reason: number } | undefined>>
  bounce?: readonly { field: number; type: number; timestamp: string }[]
}

/** A reason for which a contact is not written to, as the type and value of a cancellation. */
export interface ExclusionReason {
  type: string
  value: Readonly<Record<string, unknown>> | null
}

function describeDetail({ redList, bounce }: ExclusionContext, { type, value }: ExclusionReason): string {
  if (type === 'redlist') {
    const listName = channelRedListNames.find((name) => name === value?.['channel']) ?? emailChannelTraits.redList
    const redListEntry = redList?.[listName]
    return redListEntry ? `: ${describeRedListOrigin(redListEntry.reason)}, since ${redListEntry.timestamp}` : ''
  }
  if (type === 'bounce') {
    const addressFlag = bounce?.find(({ field }) => field === value?.['field'])
    return addressFlag ? `: ${FLAG_TEXTS[addressFlag.type] ?? 'flagged'}, on ${addressFlag.timestamp}` : ''
  }
  if (type === 'marketing pressure' && value?.['limit'] !== undefined)
    return `: ${String(value['count'])} of ${String(value['limit'])}`
  return ''
}

/** A reason for which a contact is not written to, in words, with since when where that is known. */
export function describeExclusionReason(exclusionContext: ExclusionContext, because: ExclusionReason): string {
  const { type, value } = because
  const fieldSuffix = typeof value?.['field'] === 'number' ? ` (field ${value['field']})` : ''
  return `${REASON_TEXTS[type] ?? type}${fieldSuffix}${describeDetail(exclusionContext, because)}`
}
