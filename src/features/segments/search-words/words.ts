import { toBounceName } from '../../contacts/bounce-flags/bounce-codes.ts'
import { findEventKinds } from '../../events/history/criterion.ts'
import { type EventKind, toEventType } from '../../events/kinds/event-kinds.ts'
import type {
  CriteriaMoment,
  CriteriaTimeSpan,
  EventCriteriaLeaf,
  FieldCriteriaLeaf,
  InstantCriteriaLeaf,
  SegmentCriteria,
  SegmentCriteriaLeafOf,
  SegmentCriteriaLeafType,
} from '../criteria/criteria-types.ts'
import { listLeafKinds, toEventCountRange } from '../criteria/event-leaf.ts'
import type { CriteriaLanguage, NamedComparand, NamedCountRange, NamedEvents } from './language.ts'

/** The names of what criteria name by number. */
export interface CriteriaNames {
  field(id: number): { name: string; isList: boolean } | undefined
  /** The label of an index of a list field. */
  label(field: number, index: unknown): string | undefined
  segment(id: number): string | undefined
  action(id: string | number): string | undefined
  application(id: string): string | undefined
}

interface DescriptionContext {
  names: CriteriaNames
  language: CriteriaLanguage
}

/** Maximum number of values of a list that are shown. */
const MAX_LISTED_VALUES = 10
const MIDNIGHT_SUFFIX = 'T00:00:00.000Z'

function formatDate(iso: string, { locale }: CriteriaLanguage): string {
  const hasTime = !iso.endsWith(MIDNIGHT_SUFFIX)
  const form = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
    ...(hasTime && { timeStyle: 'short' }),
  })
  return form.format(new Date(iso)) + (hasTime ? ' UTC' : '')
}

const ISO_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

function formatMoment(moment: CriteriaMoment, language: CriteriaLanguage): string {
  if (typeof moment === 'string') return formatDate(moment, language)
  return 'ago' in moment ? language.ago(moment.ago) : language.ahead(moment.ahead)
}

function formatTimeSpan(span: CriteriaTimeSpan, language: CriteriaLanguage): string {
  if ('last' in span) return language.last(span.last)
  if ('next' in span) return language.next(span.next)
  const [start, end] = [span.start, span.end].map((iso) => iso && formatDate(iso, language))
  if (start && end) return language.fromTo(start, end)
  return start ? language.since(start) : end ? language.until(end) : ''
}

function isMoment(value: unknown): value is CriteriaMoment {
  return typeof value === 'object' && value !== null && ('ago' in value || 'ahead' in value)
}

/** One value of a leaf in words. */
function formatValue(
  value: unknown,
  { language }: DescriptionContext,
  label: (index: unknown) => string | undefined,
): string {
  if (isMoment(value)) return formatMoment(value, language)
  if (typeof value === 'number') {
    const text = label(value)
    return text === undefined
      ? new Intl.NumberFormat(language.locale, { maximumFractionDigits: 15 }).format(value)
      : language.quoted(text)
  }
  const text = String(value)
  return ISO_PATTERN.test(text) ? formatDate(text, language) : language.quoted(text)
}

/** The value of a field leaf in words; '' where the operator takes none. */
function formatLeafValue(
  { operator, value }: Pick<FieldCriteriaLeaf, 'operator' | 'value'>,
  telling: DescriptionContext,
  label: (index: unknown) => string | undefined,
): string {
  const { language } = telling
  if (value === undefined) return ''
  if (operator === 'within') return formatTimeSpan(value as CriteriaTimeSpan, language)
  if (!Array.isArray(value)) return formatValue(value, telling, label)
  const texts = value
    .slice(0, operator === 'between' ? 2 : MAX_LISTED_VALUES)
    .map((listedValue) => formatValue(listedValue, telling, label))
  if (operator !== 'between') return language.list(texts, value.length - texts.length)
  const isTime = value.some(
    (listedValue) => isMoment(listedValue) || (typeof listedValue === 'string' && ISO_PATTERN.test(listedValue)),
  )
  const [from = '', to = ''] = texts
  return isTime ? language.fromTo(from, to) : language.range(from, to)
}

function describeComparison(
  compared: NamedComparand,
  { operator, value }: Pick<FieldCriteriaLeaf, 'operator' | 'value'>,
  telling: DescriptionContext,
  label: (index: unknown) => string | undefined = () => undefined,
): string {
  const { language } = telling
  if (operator === 'anniversary') return language.anniversary(compared, value as { from: number; to: number })
  return language.comparison(compared, operator, formatLeafValue({ operator, value }, telling, label))
}

function describeFieldLeaf(leaf: FieldCriteriaLeaf, telling: DescriptionContext): string {
  const { names, language } = telling
  const { name, isList } = names.field(leaf.field) ?? { name: String(leaf.field), isList: false }
  return describeComparison({ field: language.quoted(name), isList }, leaf, telling, (index) =>
    names.label(leaf.field, index),
  )
}

function describeInstantLeaf(
  { type, ...leaf }: InstantCriteriaLeaf<'creationDate' | 'lastUpdateDate'>,
  telling: DescriptionContext,
): string {
  return describeComparison({ own: type }, leaf, telling)
}

function isNestedKind(kind: EventKind): kind is Extract<EventKind, `${string}/${string}`> {
  return kind.includes('/')
}

/** The events of a leaf: a type if all of its kinds are counted, otherwise one kind of it. */
function nameEvents(leaf: EventCriteriaLeaf): NamedEvents {
  const kinds = listLeafKinds(leaf)
  const [type, ...otherTypes] = new Set(kinds.map(toEventType))
  if (type === undefined || otherTypes.length > 0) return 'any'
  const isWholeType = kinds.length === findEventKinds(type).length
  return isWholeType ? type : (kinds.find(isNestedKind) ?? type)
}

function describeEventLeaf(leaf: EventCriteriaLeaf, { names, language }: DescriptionContext): string {
  const { least, most, outside } = toEventCountRange(leaf.count ?? { operator: 'greaterOrEqual', value: 1 })
  const count: NamedCountRange = {
    least,
    ...(Number.isFinite(most) && { most: Math.max(0, most) }),
    ...(outside && { outside }),
  }
  const actions = leaf.actions?.map((id) => language.quoted(names.action(id) ?? String(id)))
  const { channel, period, robots = false } = leaf
  return language.events(
    { kind: nameEvents(leaf), channel, actions, period, count, robots },
    period ? formatTimeSpan(period, language) : '',
  )
}

/** Every type of leaf as a clause. */
const leafDescribers: {
  [Type in SegmentCriteriaLeafType]: (leaf: SegmentCriteriaLeafOf<Type>, telling: DescriptionContext) => string
} = {
  field: describeFieldLeaf,
  creationDate: describeInstantLeaf,
  lastUpdateDate: describeInstantLeaf,
  segment: ({ segment, operator }, { names, language }) =>
    language.segment(names.segment(segment) ?? String(segment), operator !== 'notIn'),
  redList: ({ channel = 'any' }, { language }) => language.redList(channel),
  bounce: ({ field, is }, { names, language }) => {
    const name = field === undefined ? undefined : language.quoted(names.field(field)?.name ?? String(field))
    return language.bounce(
      name,
      is?.map((flag) => (typeof flag === 'number' ? toBounceName(flag) : flag)),
    )
  },
  event: describeEventLeaf,
  subscription: ({ application }, { names, language }) =>
    language.device(application === undefined ? undefined : (names.application(application) ?? application)),
}

function describeLeaf<Type extends SegmentCriteriaLeafType>(
  leaf: SegmentCriteriaLeafOf<Type>,
  telling: DescriptionContext,
): string {
  return leafDescribers[leaf.type](leaf, telling)
}

/** The contacts that a node selects: all, none, or those of a clause, of which several are joined by the word. */
type NodeDescription = 'every' | 'nobody' | { clause: string; joined: string | null }

function joinDescriptions(
  parts: readonly NodeDescription[],
  word: string,
  neutral: 'every' | 'nobody',
): NodeDescription {
  const absorbing = neutral === 'every' ? 'nobody' : 'every'
  if (parts.includes(absorbing)) return absorbing
  const clauses = parts.filter((part) => typeof part === 'object')
  const [firstClause, ...otherClauses] = clauses
  if (!firstClause) return neutral
  if (otherClauses.length === 0) return firstClause
  const clauseTexts = clauses.map(({ clause, joined }) => (joined !== null && joined !== word ? `(${clause})` : clause))
  return { clause: clauseTexts.join(word), joined: word }
}

function describeNode(criteria: SegmentCriteria, telling: DescriptionContext): NodeDescription {
  const { language } = telling
  const describeNodes = (nodes: readonly SegmentCriteria[]) => nodes.map((node) => describeNode(node, telling))
  if ('all' in criteria) return joinDescriptions(describeNodes(criteria.all), language.and, 'every')
  if ('any' in criteria) return joinDescriptions(describeNodes(criteria.any), language.or, 'nobody')
  if (!('none' in criteria)) return { clause: describeLeaf(criteria, telling), joined: null }
  const excludedDescription = joinDescriptions(describeNodes(criteria.none), language.or, 'nobody')
  if (typeof excludedDescription !== 'object') return excludedDescription === 'every' ? 'nobody' : 'every'
  return {
    clause: language.not(
      excludedDescription.joined === null ? excludedDescription.clause : `(${excludedDescription.clause})`,
    ),
    joined: null,
  }
}

/** Criteria as a sentence; null selects nobody. `parent`: the name of the segment whose members alone are selected. */
export function describeCriteria(
  criteria: SegmentCriteria | null,
  parent: string | undefined,
  telling: DescriptionContext,
): string {
  const { language } = telling
  const criteriaDescription = criteria === null ? 'nobody' : describeNode(criteria, telling)
  if (criteriaDescription === 'nobody') return language.sentence(language.nobody, undefined)
  return language.sentence(
    criteriaDescription === 'every' ? language.every : `${language.contacts} ${criteriaDescription.clause}`,
    parent,
  )
}
