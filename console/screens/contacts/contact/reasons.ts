import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { useCancellationLabel } from '../../../components/cancellations/cancellations.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ContactListField, ListedApiContact } from '../contact-columns.tsx'
import type en from './en.ts'
import { contactPageTexts } from './texts.ts'
import type { ApiRedListName } from './use-listing.ts'

type TextKey = keyof typeof en
type BounceFlag = NonNullable<ListedApiContact['bounce']>[number]
export type ApiUnreachableReason = ApiAnswer<'getTargetReachability'>['email']['because'][number]

/** Reason for the red list entry of a contact, by the number of its origin. */
const ORIGIN_LABELS: readonly TextKey[] = [
  'origin0',
  'origin1',
  'origin2',
  'origin3',
  'origin4',
  'origin5',
  'origin6',
  'origin7',
  'origin8',
  'origin9',
]

const FLAG_LABELS: Readonly<Record<number, TextKey>> = {
  3: 'flag3',
  4: 'flag4',
  51: 'flag51',
  52: 'flag52',
  53: 'flag53',
  54: 'flag54',
  6: 'flag6',
}

export interface ReachabilityExplanation {
  words: string
  at?: string
  /** It is on this list, which it can be taken off. */
  list?: ApiRedListName
  /** This flag stops it, which can be cleared. */
  flag?: BounceFlag
}

export function useContactPressure(id: string) {
  return useQuery({
    queryKey: ['contact', id, 'pressure'],
    queryFn: ({ signal }) => apiClient.getTargetPressure({ path: { id }, signal }),
  })
}

/** Why a contact may not be written to, in words, from what is known of it. */
export function useReachabilityReasons(
  contact: ListedApiContact,
  fields: readonly ContactListField[],
): (because: ApiUnreachableReason) => ReachabilityExplanation {
  const t = useTranslator(contactPageTexts)
  const cancelled = useCancellationLabel()
  const pressure = useContactPressure(contact.id)
  const explainRedList = (name: ApiRedListName): ReachabilityExplanation => {
    const redListEntry = contact.redList?.[name]
    if (!redListEntry) return { words: cancelled('redlist') }
    return { words: t(ORIGIN_LABELS[redListEntry.reason] ?? 'origin0'), at: redListEntry.timestamp, list: name }
  }
  const explainBounce = (field: number): ReachabilityExplanation => {
    const bounceFlag = contact.bounce?.find((candidate) => candidate.field === field)
    if (!bounceFlag) return { words: cancelled('bounce') }
    const knownFlag = FLAG_LABELS[bounceFlag.type]
    const bounceReason = knownFlag ? t(knownFlag) : cancelled('bounce')
    return {
      words: bounceFlag.reason === '' ? bounceReason : `${bounceReason} (${bounceFlag.reason})`,
      at: bounceFlag.timestamp,
      flag: bounceFlag,
    }
  }
  return ({ type, value }) => {
    if (type === 'redlist') return explainRedList(value?.['channel'] === 'sms' ? 'sms' : 'mail')
    if (type === 'bounce') return explainBounce(Number(value?.['field']))
    if (type === 'marketing pressure') {
      const ruleLabel = pressure.data?.find((candidate) => candidate.rule.id === value?.['rule'])?.rule.label ?? ''
      const [count, limit] = [Number(value?.['count']), Number(value?.['limit'])]
      return { words: t('reasonRule', { rule: ruleLabel, count, limit }) }
    }
    const field = fields.find(({ id }) => id === value?.['field'])
    const cancellationLabel = cancelled(type)
    return { words: field ? `${cancellationLabel} (${field.name})` : cancellationLabel }
  }
}
