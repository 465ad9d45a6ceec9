/** Why a contact is not written to, in words, by the type of the reason. */
const WORDS: Readonly<Record<string, string>> = {
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

/** How a contact came on a red list, by the number of the origin. */
const ORIGINS: readonly string[] = [
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

/** What a flag of an address means, by its code. */
const FLAGS: Readonly<Record<number, string>> = {
  3: 'the address was confirmed',
  4: 'messages were put off by the far side',
  51: 'its domain is unknown',
  52: 'the mailbox or number is unknown',
  53: 'messages came back for good',
  54: 'refused by a policy of the far side',
  6: 'the person reported a message as spam',
}

/** What is known of a contact that explains reasons. */
export interface ExclusionContext {
  redList?: Readonly<Record<string, { timestamp: string; reason: number } | undefined>>
  bounce?: readonly { field: number; type: number; timestamp: string }[]
}

interface Because {
  type: string
  value: Readonly<Record<string, unknown>> | null
}

function detailOf({ redList, bounce }: ExclusionContext, { type, value }: Because): string {
  if (type === 'redlist') {
    const entry = redList?.[value?.['channel'] === 'sms' ? 'sms' : 'mail']
    return entry ? `: ${ORIGINS[entry.reason] ?? ORIGINS[0]}, since ${entry.timestamp}` : ''
  }
  if (type === 'bounce') {
    const flag = bounce?.find(({ field }) => field === value?.['field'])
    return flag ? `: ${FLAGS[flag.type] ?? 'flagged'}, on ${flag.timestamp}` : ''
  }
  if (type === 'marketing pressure' && value?.['limit'] !== undefined)
    return `: ${String(value['count'])} of ${String(value['limit'])}`
  return ''
}

/** A reason for which a contact is not written to, in words, with since when where that is known. */
export function describeExclusionReason(known: ExclusionContext, because: Because): string {
  const { type, value } = because
  const field = typeof value?.['field'] === 'number' ? ` (field ${value['field']})` : ''
  return `${WORDS[type] ?? type}${field}${detailOf(known, because)}`
}
