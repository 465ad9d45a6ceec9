import type { Translator } from '../../text/catalogue.ts'
import type en from './en.ts'
import { EVENT_COUNT_LABELS, EVENT_LABELS } from './event-labels.ts'
import {
  type CriteriaField,
  type CriteriaGroup,
  type CriteriaLeaf,
  type CriteriaNode,
  type CriterionOperatorName,
  type CriterionValueKind,
  findFieldOperators,
  findGroupMode,
  isCriteriaLeaf,
  listGroupNodes,
} from './model.ts'

type CriteriaTranslator = Translator<typeof en>
type TextKey = keyof typeof en

/** What the words of a criterion need to know of the account. */
export interface CriteriaWords {
  t: CriteriaTranslator
  fields: readonly CriteriaField[]
  segments: readonly { id: number; name: string }[]
  formatDate(date: string): string
  formatList(items: readonly string[]): string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function describeAmount(amount: unknown, t: CriteriaTranslator): string {
  const { value = 0, unit = 'day' } = isObject(amount) ? amount : {}
  return `${value} ${t(String(unit) as TextKey, { count: Number(value) })}`
}

function describeMoment(moment: unknown, { t, formatDate }: CriteriaWords): string {
  if (!isObject(moment)) return formatDate(String(moment ?? ''))
  return 'ago' in moment
    ? t('amountAgo', { amount: describeAmount(moment['ago'], t) })
    : t('amountAhead', { amount: describeAmount(moment['ahead'], t) })
}

function describeSpan(span: unknown, words: CriteriaWords): string {
  const { t, formatDate } = words
  if (!isObject(span)) return ''
  if ('last' in span) return t('amountLast', { amount: describeAmount(span['last'], t) })
  if ('next' in span) return t('amountNext', { amount: describeAmount(span['next'], t) })
  const [start, end] = [span['start'], span['end']].map((date) => (date ? formatDate(String(date)) : ''))
  if (start && end) return t('fromUntil', { start, end })
  return start ? t('fromDate', { start }) : t('untilDate', { end: end ?? '' })
}

function describeValue(kind: CriterionValueKind, value: unknown, words: CriteriaWords): string {
  const { t, formatList } = words
  const pair = Array.isArray(value) ? value : []
  switch (kind) {
    case 'none':
      return ''
    case 'many':
      return formatList(pair.map(String))
    case 'range':
      return t('pair', { first: String(pair[0]), second: String(pair[1]) })
    case 'moment':
      return describeMoment(value, words)
    case 'moments':
      return t('pair', { first: describeMoment(pair[0], words), second: describeMoment(pair[1], words) })
    case 'span':
      return describeSpan(value, words)
    case 'days': {
      const { from = 0, to = 0 } = isObject(value) ? value : {}
      return t('dayRange', { from: String(from), to: String(to) })
    }
    default:
      return /^\d{4}-\d\d-\d\d/.test(String(value)) ? words.formatDate(String(value)) : String(value ?? '')
  }
}

function describeComparison(leaf: CriteriaLeaf, words: CriteriaWords): string[] {
  const field = leaf.type === 'field' ? words.fields.find(({ id }) => id === leaf['field']) : undefined
  const operator = leaf['operator'] as CriterionOperatorName
  const kind = findFieldOperators(field)[operator] ?? 'none'
  const subject = leaf.type === 'field' ? (field?.name ?? '') : words.t(leaf.type as TextKey)
  return [subject, words.t(operator), describeValue(kind, leaf['value'], words)]
}

function describeEvent(leaf: CriteriaLeaf, words: CriteriaWords): string[] {
  const { t } = words
  const label = EVENT_LABELS[leaf['link'] === undefined ? String(leaf['event']) : `hits/${leaf['link']}`]
  const { operator, value } = (leaf['count'] as { operator: string; value: unknown } | undefined) ?? {}
  const numbers = [value].flat()
  const countText =
    operator === undefined
      ? ''
      : `${t(EVENT_COUNT_LABELS[operator as keyof typeof EVENT_COUNT_LABELS])} ${numbers.join(` ${t('and')} `)} ${t('times', { count: Number(numbers.at(-1)) })}`
  const messages = (leaf['actions'] as unknown[] | undefined)?.length ?? 0
  return [
    label ? t(label) : String(leaf['event']),
    countText,
    describeSpan(leaf['period'], words),
    messages > 0 ? t('messageCount', { count: messages }) : '',
    leaf['channel'] === undefined ? '' : t('byChannel', { channel: t(leaf['channel'] as TextKey) }),
    leaf['robots'] === true ? t('robots') : '',
  ]
}

const RED_LIST_TEXTS: Readonly<Record<string, TextKey>> = { mail: 'mailList', sms: 'smsList' }

function describeOther(leaf: CriteriaLeaf, words: CriteriaWords): string[] {
  const { t, fields, segments, formatList } = words
  if (leaf.type === 'segment') {
    const name = segments.find(({ id }) => id === leaf['segment'])?.name ?? ''
    return [t('segment'), t(leaf['operator'] === 'notIn' ? 'isNotIn' : 'isIn'), name]
  }
  if (leaf.type === 'redList') {
    const key = RED_LIST_TEXTS[String(leaf['channel'])]
    return [t('redList'), key ? t(key) : '']
  }
  if (leaf.type === 'bounce') {
    const flags = (leaf['is'] as TextKey[] | undefined) ?? []
    const address = fields.find(({ id }) => id === leaf['field'])?.name ?? ''
    return [t('bounce'), address, formatList(flags.map((flag) => t(String(flag) as TextKey)))]
  }
  return [t(leaf.type as TextKey)]
}

/** A criterion as the parts of a sentence: its subject first, then how it is compared, and with what. */
export function describeCriteriaLeaf(leaf: CriteriaLeaf, words: CriteriaWords): string[] {
  const isComparison = ['field', 'creationDate', 'lastUpdateDate'].includes(leaf.type)
  const describe = isComparison ? describeComparison : leaf.type === 'event' ? describeEvent : describeOther
  return describe(leaf, words).filter((part) => part !== '')
}

/** Criteria as one line, such as the name of a segment made from them; empty without criteria. */
export function describeSegmentCriteria(node: CriteriaNode, words: CriteriaWords): string {
  if (isCriteriaLeaf(node)) return describeCriteriaLeaf(node, words).join(' ')
  const { t } = words
  const mode = findGroupMode(node)
  const parts = listGroupNodes(node)
    .map((child) => {
      const childSentence = describeSegmentCriteria(child, words)
      return !isCriteriaLeaf(child) && findGroupMode(child) !== 'none' && listGroupNodes(child).length > 1
        ? `(${childSentence})`
        : childSentence
    })
    .filter((part) => part !== '')
  const sentence = parts.join(` ${t(mode === 'all' ? 'and' : 'or')} `)
  return mode === 'none' && sentence !== '' ? t('notThat', { sentence }) : sentence
}

/** True if a criterion still needs a value, which is no mistake before the criteria are saved. */
export function isCriterionUnfinished(leaf: CriteriaLeaf): boolean {
  if (leaf.type === 'segment') return !leaf['segment']
  if (!['field', 'creationDate', 'lastUpdateDate'].includes(leaf.type)) return false
  const { value } = leaf
  if (Array.isArray(value)) return value.length === 0 || value.some((item) => item === '' || item === undefined)
  return value === ''
}

/** True if a criterion anywhere in the group needs a value. */
export function hasUnfinishedCriterion(group: CriteriaGroup): boolean {
  return listGroupNodes(group).some((node) =>
    isCriteriaLeaf(node) ? isCriterionUnfinished(node) : hasUnfinishedCriterion(node),
  )
}
