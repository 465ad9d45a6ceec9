import { formatIsoInstant, INVALID_DATE_DETAIL } from '../../../lib/time/period.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import { parseFieldDate } from '../../contacts/values/date-text.ts'
import { isLongerThan } from '../../contacts/values/text-value.ts'
import {
  type CriteriaDayRange,
  type CriteriaMoment,
  type CriteriaTimeAmount,
  type CriteriaTimeSpan,
  criteriaTimeUnits,
} from './criteria-types.ts'
import {
  addCriteriaFault,
  type CriteriaInputObject,
  type CriteriaPosition,
  childCriteriaPosition,
  isCriteriaMemberSet,
  parseCriteriaInteger,
  parseCriteriaWord,
  toCriteriaInputObject,
} from './reading.ts'

/** Reads the value of an operator: notes a fault and gives undefined then. `field` is absent for a contact's own dates. */
export type OperandParser<Value> = (
  rawInput: unknown,
  position: CriteriaPosition,
  field?: ContactFieldDefinition,
) => Value | undefined

const MAX_VALUES = 1000
const MAX_FRAGMENT_LENGTH = 1000
const MAX_TIME_UNITS = 100_000
const MAX_DAYS = 366
const UNSTORABLE_CHARACTER = /[\0\p{Cs}]/u

/** A value of the field's type, in the form contacts hold it: a label is its index. */
export const parseOneValue: OperandParser<string | number> = (rawValue, position, field) => {
  if (field === undefined || (typeof rawValue !== 'string' && typeof rawValue !== 'number')) {
    return addCriteriaFault(position, 'must be one value: a text or a number')
  }
  const reading = position.reading.shape.normaliser(field)(rawValue)
  if ('fault' in reading) return addCriteriaFault(position, reading.detail)
  const [value] = [reading.ok].flat()
  return value ?? addCriteriaFault(position, 'must not be empty: use the operators empty and notEmpty instead')
}

export const parseManyValues: OperandParser<(string | number)[]> = (rawValues, position, field) => {
  if (!Array.isArray(rawValues) || rawValues.length > MAX_VALUES) {
    return addCriteriaFault(position, `must be an array of at most ${MAX_VALUES} values`)
  }
  return rawValues.flatMap(
    (rawItem, index) => parseOneValue(rawItem, childCriteriaPosition(position, index), field) ?? [],
  )
}

/** Part of a text: blanks count, and there are no wildcards. */
export const parseTextFragment: OperandParser<string> = (rawText, position) => {
  const text = typeof rawText === 'string' ? rawText.normalize('NFC') : ''
  if (text === '' || isLongerThan(text, MAX_FRAGMENT_LENGTH) || UNSTORABLE_CHARACTER.test(text)) {
    return addCriteriaFault(position, `must be a text of 1 to ${MAX_FRAGMENT_LENGTH} characters`)
  }
  return text
}

/** Both ends inclusive. */
export const parseValueRange: OperandParser<(string | number)[]> = (rawRange, position, field) => {
  if (!Array.isArray(rawRange) || rawRange.length !== 2)
    return addCriteriaFault(position, 'must be an array of two values: [from, to]')
  const values = parseManyValues(rawRange, position, field)
  const [from, to] = values ?? []
  if (from === undefined || to === undefined) return undefined
  return to < from ? addCriteriaFault(position, 'must not end before it starts') : values
}

export const parseNoValue: OperandParser<undefined> = (rawOperand, position) =>
  isCriteriaMemberSet(rawOperand)
    ? addCriteriaFault(position, 'must be absent: the operator takes no value')
    : undefined

function parseAmount(rawAmount: unknown, min: number, position: CriteriaPosition): CriteriaTimeAmount | undefined {
  const object = toCriteriaInputObject(rawAmount)
  if (!object) return addCriteriaFault(position, 'must be an object with value and unit')
  const value = parseCriteriaInteger(object['value'], [min, MAX_TIME_UNITS], childCriteriaPosition(position, 'value'))
  const unit = parseCriteriaWord(object['unit'], criteriaTimeUnits, childCriteriaPosition(position, 'unit'))
  return value === undefined || unit === undefined ? undefined : { value, unit }
}

function parseFixedDate(rawDate: unknown, position: CriteriaPosition): string | undefined {
  const { dateOrder } = position.reading.shape.settings
  const date =
    typeof rawDate === 'string'
      ? parseFieldDate(rawDate.trim(), dateOrder)
      : typeof rawDate === 'number'
        ? formatIsoInstant(rawDate)
        : undefined
  return date ?? addCriteriaFault(position, INVALID_DATE_DETAIL)
}

/** The one member, of several possible ones, that an object has; a fault if it has no such member, or more than one. */
function requireOnlyMember(object: CriteriaInputObject, names: readonly string[]): string | undefined {
  const [name, ...otherNames] = names.filter((memberName) => isCriteriaMemberSet(object[memberName]))
  return otherNames.length === 0 ? name : undefined
}

export const parseCriteriaMoment: OperandParser<CriteriaMoment> = (rawMoment, position) => {
  const object = toCriteriaInputObject(rawMoment)
  if (!object) return parseFixedDate(rawMoment, position)
  const name = requireOnlyMember(object, ['ago', 'ahead'])
  if (name === undefined) return addCriteriaFault(position, `${INVALID_DATE_DETAIL}, or an object with ago or ahead`)
  const amount = parseAmount(object[name], 0, childCriteriaPosition(position, name))
  return amount && (name === 'ago' ? { ago: amount } : { ahead: amount })
}

/** Start inclusive, end exclusive. */
export const parseMomentRange: OperandParser<[CriteriaMoment, CriteriaMoment]> = (rawRange, position) => {
  if (!Array.isArray(rawRange) || rawRange.length !== 2)
    return addCriteriaFault(position, 'must be an array of two dates: [start, end]')
  const [start, end] = rawRange.map((rawMoment, index) =>
    parseCriteriaMoment(rawMoment, childCriteriaPosition(position, index)),
  )
  if (start === undefined || end === undefined) return undefined
  return isMomentBefore(end, start) ? addCriteriaFault(position, 'must not end before it starts') : [start, end]
}

function isMomentBefore(firstMoment: CriteriaMoment | undefined, secondMoment: CriteriaMoment | undefined): boolean {
  return typeof firstMoment === 'string' && typeof secondMoment === 'string' && firstMoment < secondMoment
}

function parseFixedSpan(object: CriteriaInputObject, position: CriteriaPosition): CriteriaTimeSpan | undefined {
  const parseBound = (name: string) =>
    isCriteriaMemberSet(object[name]) ? parseFixedDate(object[name], childCriteriaPosition(position, name)) : undefined
  const [start, end] = [parseBound('start'), parseBound('end')]
  if (isMomentBefore(end, start))
    return addCriteriaFault(childCriteriaPosition(position, 'end'), 'must not be before "start"')
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
}

/** `{"last"}`, `{"next"}`, or `{"start", "end"}`, of which one is enough. */
export const parseCriteriaTimeSpan: OperandParser<CriteriaTimeSpan> = (rawSpan, position) => {
  const object = toCriteriaInputObject(rawSpan)
  const memberNames = object ? ['last', 'next'].filter((name) => isCriteriaMemberSet(object[name])) : []
  const isFixed = object !== undefined && (isCriteriaMemberSet(object['start']) || isCriteriaMemberSet(object['end']))
  if (!object || memberNames.length + Number(isFixed) !== 1) {
    return addCriteriaFault(position, 'must be an object with last, with next, or with start and end')
  }
  const [memberName] = memberNames
  if (memberName === undefined) return parseFixedSpan(object, position)
  const amount = parseAmount(object[memberName], 1, childCriteriaPosition(position, memberName))
  return amount && (memberName === 'last' ? { last: amount } : { next: amount })
}

export const parseCriteriaDayRange: OperandParser<CriteriaDayRange> = (rawDays, position) => {
  const object = toCriteriaInputObject(rawDays)
  if (!object) return addCriteriaFault(position, 'must be an object with from and to: days from today')
  const parseDay = (name: string) =>
    parseCriteriaInteger(object[name], [-MAX_DAYS, MAX_DAYS], childCriteriaPosition(position, name))
  const [from, to] = [parseDay('from'), parseDay('to')]
  if (from === undefined || to === undefined) return undefined
  return to < from ? addCriteriaFault(childCriteriaPosition(position, 'to'), 'must not be before "from"') : { from, to }
}
