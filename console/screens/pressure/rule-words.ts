import type { ApiAnswer } from '../../api/shapes.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { pressureTexts } from './texts.ts'

export type RuleDocument = ApiAnswer<'getPressureRule'>
export type ApiPressureLimit = RuleDocument['predicate']['expressions'][number]
export type ApiTopic = ApiAnswer<'getPressureTopic'>

const UNIT_LABELS = { HOUR: 'hours', DAY: 'days', WEEK: 'weeks', MONTH: 'months' } as const

/** A rule and its limits in words, as one would say them to a colleague. */
export function usePressureDescription(topics: readonly ApiTopic[]) {
  const t = useTranslator(pressureTexts)
  const format = useLocaleFormat()
  const describeScope = ({ channels, topics: ids, purposes }: ApiPressureLimit): string[] => [
    channels.length === 0
      ? t('everyChannel')
      : t('byChannels', { list: format.list(channels.map((purpose) => t(purpose))) }),
    ...(ids.length === 0
      ? []
      : [
          t('aboutTopics', {
            list: format.list(ids.map((id) => topics.find((topic) => topic.id === id)?.label ?? id)),
          }),
        ]),
    ...(purposes.length === 1 ? [t(purposes[0] === 'service' ? 'onlyService' : 'onlyMarketing')] : []),
  ]
  const limitWords = (limit: ApiPressureLimit): string => {
    const { count, period, window, reserve } = limit
    const periodText = t(UNIT_LABELS[period.unit], { count: period.value })
    const limitText = t(period.type === 'rolling' ? 'mostRolling' : 'mostCalendar', { count, span: periodText })
    const parts = [
      count === 0 ? t('noMessage') : limitText,
      ...describeScope(limit),
      ...(window ? [t('inWindow', { from: window.from, to: window.to })] : []),
      ...(reserve > 0 ? [t('ofThemReserved', { count: reserve })] : []),
    ]
    return parts.join(', ')
  }
  const ruleWords = ({ predicate }: Pick<RuleDocument, 'predicate'>): string =>
    predicate.expressions
      .map(limitWords)
      .map((words, place) => (place === 0 ? words : words.charAt(0).toLowerCase() + words.slice(1)))
      .join(predicate.type === 'and' ? `; ${t('and')} ` : `; ${t('or')} `)
  return { limitWords, ruleWords }
}
