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
import { toEventCountRange } from '../criteria/event-leaf.ts'
import type { CriteriaLanguage, NamedComparand, NamedCountRange } from './language.ts'

/** The names of what criteria name by number. */
export interface CriteriaNames {
  field(id: number): { name: string; isList: boolean } | undefined
  /** The label of an index of a list field. */
  label(field: number, index: unknown): string | undefined
  segment(id: number): string | undefined
  action(id: string | number): string | undefined
  application(id: string): string | undefined
}

interface Telling {
  names: CriteriaNames
  language: CriteriaLanguage
}

/** Values that are told of a list. */
const MOST_VALUES = 10
const MIDNIGHT = 'T00:00:00.000Z'

function dateText(iso: string, { locale }: CriteriaLanguage): string {
  const hasTime = !iso.endsWith(MIDNIGHT)
  const form = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
    ...(hasTime && { timeStyle: 'short' }),
  })
  return form.format(new Date(iso)) + (hasTime ? ' UTC' : '')
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

function momentText(moment: CriteriaMoment, language: CriteriaLanguage): string {
  if (typeof moment === 'string') return dateText(moment, language)
  return 'ago' in moment ? language.ago(moment.ago) : language.ahead(moment.ahead)
}

function spanText(span: CriteriaTimeSpan, language: CriteriaLanguage): string {
  if ('last' in span) return language.last(span.last)
  if ('next' in span) return language.next(span.next)
  const [start, end] = [span.start, span.end].map((iso) => iso && dateText(iso, language))
  if (start && end) return language.fromTo(start, end)
  return start ? language.since(start) : end ? language.until(end) : ''
}

function isMoment(value: unknown): value is CriteriaMoment {
  return typeof value === 'object' && value !== null && ('ago' in value || 'ahead' in value)
}

/** One value of a leaf in words. */
function oneValue(value: unknown, { language }: Telling, label: (index: unknown) => string | undefined): string {
  if (isMoment(value)) return momentText(value, language)
  if (typeof value === 'number') {
    const text = label(value)
    return text === undefined
      ? new Intl.NumberFormat(language.locale, { maximumFractionDigits: 15 }).format(value)
      : language.quoted(text)
  }
  const text = String(value)
  return ISO.test(text) ? dateText(text, language) : language.quoted(text)
}

/** The value of a field leaf in words; '' where the operator takes none. */
function valueText(
  { operator, value }: Pick<FieldCriteriaLeaf, 'operator' | 'value'>,
  telling: Telling,
  label: (index: unknown) => string | undefined,
): string {
  const { language } = telling
  if (value === undefined) return ''
  if (operator === 'within') return spanText(value as CriteriaTimeSpan, language)
  if (!Array.isArray(value)) return oneValue(value, telling, label)
  const texts = value.slice(0, operator === 'between' ? 2 : MOST_VALUES).map((one) => oneValue(one, telling, label))
  if (operator !== 'between') return language.list(texts, value.length - texts.length)
  const isTime = value.some((one) => isMoment(one) || (typeof one === 'string' && ISO.test(one)))
  const [from = '', to = ''] = texts
  return isTime ? language.fromTo(from, to) : language.range(from, to)
}

function compare(
  compared: NamedComparand,
  { operator, value }: Pick<FieldCriteriaLeaf, 'operator' | 'value'>,
  telling: Telling,
  label: (index: unknown) => string | undefined = () => undefined,
): string {
  const { language } = telling
  if (operator === 'anniversary') return language.anniversary(compared, value as { from: number; to: number })
  return language.comparison(compared, operator, valueText({ operator, value }, telling, label))
}

function fieldWords(leaf: FieldCriteriaLeaf, telling: Telling): string {
  const { names, language } = telling
  const { name, isList } = names.field(leaf.field) ?? { name: String(leaf.field), isList: false }
  return compare({ field: language.quoted(name), isList }, leaf, telling, (index) => names.label(leaf.field, index))
}

function instantWords(
  { type, ...leaf }: InstantCriteriaLeaf<'creationDate' | 'lastUpdateDate'>,
  telling: Telling,
): string {
  return compare({ own: type }, leaf, telling)
}

function eventWords(leaf: EventCriteriaLeaf, { names, language }: Telling): string {
  const { least, most, outside } = toEventCountRange(leaf.count ?? { operator: 'greaterOrEqual', value: 1 })
  const count: NamedCountRange = {
    least,
    ...(Number.isFinite(most) && { most: Math.max(0, most) }),
    ...(outside && { outside }),
  }
  const actions = leaf.actions?.map((id) => language.quoted(names.action(id) ?? String(id)))
  const kind = leaf.link === undefined ? leaf.event : `hits/${leaf.link}`
  const { channel, period, robots = false } = leaf
  return language.events({ kind, channel, actions, period, count, robots }, period ? spanText(period, language) : '')
}

/** Every type of leaf as a clause. */
const leafWords: {
  [Type in SegmentCriteriaLeafType]: (leaf: SegmentCriteriaLeafOf<Type>, telling: Telling) => string
} = {
  field: fieldWords,
  creationDate: instantWords,
  lastUpdateDate: instantWords,
  segment: ({ segment, operator }, { names, language }) =>
    language.segment(names.segment(segment) ?? String(segment), operator !== 'notIn'),
  redList: ({ channel = 'any' }, { language }) => language.redList(channel),
  bounce: ({ field, is }, { names, language }) => {
    const name = field === undefined ? undefined : language.quoted(names.field(field)?.name ?? String(field))
    return language.bounce(name, is && language.list(is.map(String), 0))
  },
  event: eventWords,
  subscription: ({ application }, { names, language }) =>
    language.device(application === undefined ? undefined : (names.application(application) ?? application)),
}

function wordsOfLeaf<Type extends SegmentCriteriaLeafType>(
  leaf: SegmentCriteriaLeafOf<Type>,
  telling: Telling,
): string {
  return leafWords[leaf.type](leaf, telling)
}

/** What a node selects: everybody, nobody, or those of a clause, of which several are joined by the word. */
type Told = 'every' | 'nobody' | { clause: string; joined: string | null }

function join(parts: readonly Told[], word: string, neutral: 'every' | 'nobody'): Told {
  const absorbing = neutral === 'every' ? 'nobody' : 'every'
  if (parts.includes(absorbing)) return absorbing
  const clauses = parts.filter((part) => typeof part === 'object')
  const [first, ...others] = clauses
  if (!first) return neutral
  if (others.length === 0) return first
  const each = clauses.map(({ clause, joined }) => (joined !== null && joined !== word ? `(${clause})` : clause))
  return { clause: each.join(word), joined: word }
}

function tell(criteria: SegmentCriteria, telling: Telling): Told {
  const { language } = telling
  const each = (nodes: readonly SegmentCriteria[]) => nodes.map((node) => tell(node, telling))
  if ('all' in criteria) return join(each(criteria.all), language.and, 'every')
  if ('any' in criteria) return join(each(criteria.any), language.or, 'nobody')
  if (!('none' in criteria)) return { clause: wordsOfLeaf(criteria, telling), joined: null }
  const others = join(each(criteria.none), language.or, 'nobody')
  if (typeof others !== 'object') return others === 'every' ? 'nobody' : 'every'
  return { clause: language.not(others.joined === null ? others.clause : `(${others.clause})`), joined: null }
}

/** Criteria as a sentence; null selects nobody. `parent`: the name of the segment whose members alone are selected. */
export function describeCriteria(
  criteria: SegmentCriteria | null,
  parent: string | undefined,
  telling: Telling,
): string {
  const { language } = telling
  const told = criteria === null ? 'nobody' : tell(criteria, telling)
  if (told === 'nobody') return language.sentence(language.nobody, undefined)
  return language.sentence(told === 'every' ? language.every : `${language.contacts} ${told.clause}`, parent)
}
