import { channelRedListNames } from '../../channels/channel-traits.ts'
import { emailChannelTraits } from '../../channels/email/traits.ts'

/** Why a contact is not written to, in words, by the type of the reason. */
const REASON_TEXTS: Readonly<Record<string, string>> = {
  'action deleted': 'The message was deleted',
  attachment: 'An attachment could not be fetched',
  bounce: 'Messages to the address came back: it is flagged',
  capping: 'A workflow wrote to it often enough',
  configuration: 'The gateway refused the settings of the account',
  consent: 'Its consent is missing',
  country: 'The number is of a country that is not sent to',
  'duplicate address': 'Another contact has the same address',
  'empty address': 'No address is known: the field is empty, or there is none',
  expired: 'Its time was over',
  'invalid address': 'The address cannot be written to',
  'marketing pressure': 'Marketing pressure: it got enough',
  'no subscription': 'It has no device in use that takes notifications',
  'opted out': 'Notifications are turned off',
  'recipient not found': 'The contact is gone',
  redlist: 'It is on the red list',
  'render error': 'The message could not be made',
  'user defined policy': 'The content itself left this contact out',
}

/** Explanations of how a contact was added to a red list, by the number of the origin. */
const ORIGIN_TEXTS: readonly string[] = [
  'it is not known why',
  'put there by the interface or a colleague',
  'unsubscribed in an import',
  'unsubscribed by a form',
  'unsubscribed by the link of a message',
  'complained to its provider',
  'answered STOP',
  'on the blacklist of the SMS provider',
  'blocked by the administration of the SMS provider',
  'blocked for another reason of the SMS provider',
]

/** Explanations of the flags of an address, by code. */
const FLAG_TEXTS: Readonly<Record<number, string>> = {
  3: 'the address was confirmed',
  4: 'messages were put off by the far side',
  51: 'its domain is unknown',
  52: 'the mailbox or number is unknown',
  53: 'messages came back for good',
  54: 'refused by a policy of the far side',
  6: 'the person reported a message as spam',
}

/** Data of a contact that explains reasons. */
export interface ExclusionContext {
  redList?: Readonly<Record<string, { timestamp: string; reason: number } | undefined>>
  bounce?: readonly { field: number; type: number; timestamp: string }[]
}

interface ExclusionReason {
  type: string
  value: Readonly<Record<string, unknown>> | null
}

function describeDetail({ redList, bounce }: ExclusionContext, { type, value }: ExclusionReason): string {
  if (type === 'redlist') {
    const listName = channelRedListNames.find((name) => name === value?.['channel']) ?? emailChannelTraits.redList
    const redListEntry = redList?.[listName]
    return redListEntry
      ? `: ${ORIGIN_TEXTS[redListEntry.reason] ?? ORIGIN_TEXTS[0]}, since ${redListEntry.timestamp}`
      : ''
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
