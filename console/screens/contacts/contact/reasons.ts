import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { useCancellationLabel } from '../../../components/cancellations/cancellations.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ContactListField, ListedApiContact } from '../contact-columns.tsx'
import type en from './en.ts'
import { contactPageTexts } from './texts.ts'
import type { ApiRedListName } from './use-listing.ts'

type Key = keyof typeof en
type Flag = NonNullable<ListedApiContact['bounce']>[number]
export type ApiUnreachableReason = ApiAnswer<'/targets/{id}/reachability', 'get'>['email']['because'][number]

/** How a contact came on a red list, by the number of its origin. */
const ORIGINS: readonly Key[] = [
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

const FLAGS: Readonly<Record<number, Key>> = {
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
  flag?: Flag
}

export function useContactPressure(id: string) {
  return useQuery({
    queryKey: ['contact', id, 'pressure'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/targets/{id}/pressure', { params: { path: { id } }, signal })),
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
  const listed = (name: ApiRedListName): ReachabilityExplanation => {
    const entry = contact.redList?.[name]
    if (!entry) return { words: cancelled('redlist') }
    return { words: t(ORIGINS[entry.reason] ?? 'origin0'), at: entry.timestamp, list: name }
  }
  const bounced = (field: number): ReachabilityExplanation => {
    const flag = contact.bounce?.find((one) => one.field === field)
    if (!flag) return { words: cancelled('bounce') }
    const known = FLAGS[flag.type]
    const why = known ? t(known) : cancelled('bounce')
    return { words: flag.reason === '' ? why : `${why} (${flag.reason})`, at: flag.timestamp, flag }
  }
  return ({ type, value }) => {
    if (type === 'redlist') return listed(value?.['channel'] === 'sms' ? 'sms' : 'mail')
    if (type === 'bounce') return bounced(Number(value?.['field']))
    if (type === 'marketing pressure') {
      const rule = pressure.data?.find((one) => one.rule.id === value?.['rule'])?.rule.label ?? ''
      const [count, limit] = [Number(value?.['count']), Number(value?.['limit'])]
      return { words: t('reasonRule', { rule, count, limit }) }
    }
    const field = fields.find(({ id }) => id === value?.['field'])
    const words = cancelled(type)
    return { words: field ? `${words} (${field.name})` : words }
  }
}
