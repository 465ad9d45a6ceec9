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
  given: unknown,
  position: CriteriaPosition,
  field?: ContactFieldDefinition,
) => Value | undefined

const MAX_VALUES = 1000
const LONGEST_FRAGMENT = 1000
const MAX_UNITS = 100_000
const MAX_DAYS = 366
const UNSTORABLE = /[\0\p{Cs}]/u

/** A value of the field's type, in the form contacts hold it: a label is its index. */
export const parseOneValue: OperandParser<string | number> = (given, position, field) => {
  if (field === undefined || (typeof given !== 'string' && typeof given !== 'number')) {
    return addCriteriaFault(position, 'must be one value: a text or a number')
  }
  const reading = position.reading.shape.normaliser(field)(given)
  if ('fault' in reading) return addCriteriaFault(position, reading.detail)
  const [value] = [reading.ok].flat()
  return value ?? addCriteriaFault(position, 'must not be empty: the operators empty and notEmpty are for that')
}

export const parseManyValues: OperandParser<(string | number)[]> = (given, position, field) => {
  if (!Array.isArray(given) || given.length > MAX_VALUES) {
    return addCriteriaFault(position, `must be an array of at most ${MAX_VALUES} values`)
  }
  return given.flatMap((one, index) => parseOneValue(one, childCriteriaPosition(position, index), field) ?? [])
}

/** Part of a text: blanks count, and there are no wildcards. */
export const parseTextFragment: OperandParser<string> = (given, position) => {
  const text = typeof given === 'string' ? given.normalize('NFC') : ''
  if (text === '' || isLongerThan(text, LONGEST_FRAGMENT) || UNSTORABLE.test(text)) {
    return addCriteriaFault(position, `must be a text of 1 to ${LONGEST_FRAGMENT} characters`)
  }
  return text
}

/** Both ends inclusive. */
export const parseValueRange: OperandParser<(string | number)[]> = (given, position, field) => {
  if (!Array.isArray(given) || given.length !== 2)
    return addCriteriaFault(position, 'must be an array of two values: [from, to]')
  const values = parseManyValues(given, position, field)
  const [from, to] = values ?? []
  if (from === undefined || to === undefined) return undefined
  return to < from ? addCriteriaFault(position, 'must not end before it starts') : values
}

export const parseNoValue: OperandParser<undefined> = (given, position) =>
  isCriteriaMemberSet(given) ? addCriteriaFault(position, 'must be absent: the operator takes no value') : undefined

function readAmount(given: unknown, min: number, position: CriteriaPosition): CriteriaTimeAmount | undefined {
  const object = toCriteriaInputObject(given)
  if (!object) return addCriteriaFault(position, 'must be an object with value and unit')
  const value = parseCriteriaInteger(object['value'], [min, MAX_UNITS], childCriteriaPosition(position, 'value'))
  const unit = parseCriteriaWord(object['unit'], criteriaTimeUnits, childCriteriaPosition(position, 'unit'))
  return value === undefined || unit === undefined ? undefined : { value, unit }
}

function readFixed(given: unknown, position: CriteriaPosition): string | undefined {
  const { dateOrder } = position.reading.shape.settings
  const date =
    typeof given === 'string'
      ? parseFieldDate(given.trim(), dateOrder)
      : typeof given === 'number'
        ? formatIsoInstant(given)
        : undefined
  return date ?? addCriteriaFault(position, INVALID_DATE_DETAIL)
}

/** The one member, of some, that an object has; a fault when it has none, or several. */
function onlyMember(object: CriteriaInputObject, names: readonly string[]): string | undefined {
  const [name, ...others] = names.filter((known) => isCriteriaMemberSet(object[known]))
  return others.length === 0 ? name : undefined
}

export const parseCriteriaMoment: OperandParser<CriteriaMoment> = (given, position) => {
  const object = toCriteriaInputObject(given)
  if (!object) return readFixed(given, position)
  const name = onlyMember(object, ['ago', 'ahead'])
  if (name === undefined) return addCriteriaFault(position, `${INVALID_DATE_DETAIL}, or an object with ago or ahead`)
  const amount = readAmount(object[name], 0, childCriteriaPosition(position, name))
  return amount && (name === 'ago' ? { ago: amount } : { ahead: amount })
}

/** Start inclusive, end exclusive. */
export const parseMomentRange: OperandParser<[CriteriaMoment, CriteriaMoment]> = (given, position) => {
  if (!Array.isArray(given) || given.length !== 2)
    return addCriteriaFault(position, 'must be an array of two dates: [start, end]')
  const [start, end] = given.map((one, index) => parseCriteriaMoment(one, childCriteriaPosition(position, index)))
  if (start === undefined || end === undefined) return undefined
  return isBefore(end, start) ? addCriteriaFault(position, 'must not end before it starts') : [start, end]
}

function isBefore(one: CriteriaMoment | undefined, other: CriteriaMoment | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && one < other
}

function readFixedSpan(object: CriteriaInputObject, position: CriteriaPosition): CriteriaTimeSpan | undefined {
  const read = (name: string) =>
    isCriteriaMemberSet(object[name]) ? readFixed(object[name], childCriteriaPosition(position, name)) : undefined
  const [start, end] = [read('start'), read('end')]
  if (isBefore(end, start)) return addCriteriaFault(childCriteriaPosition(position, 'end'), 'is before "start"')
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
}

/** `{"last"}`, `{"next"}`, or `{"start", "end"}`, of which one is enough. */
export const parseCriteriaTimeSpan: OperandParser<CriteriaTimeSpan> = (given, position) => {
  const object = toCriteriaInputObject(given)
  const kinds = object ? ['last', 'next'].filter((name) => isCriteriaMemberSet(object[name])) : []
  const isFixed = object !== undefined && (isCriteriaMemberSet(object['start']) || isCriteriaMemberSet(object['end']))
  if (!object || kinds.length + Number(isFixed) !== 1) {
    return addCriteriaFault(position, 'must be an object with last, with next, or with start and end')
  }
  const [kind] = kinds
  if (kind === undefined) return readFixedSpan(object, position)
  const amount = readAmount(object[kind], 1, childCriteriaPosition(position, kind))
  return amount && (kind === 'last' ? { last: amount } : { next: amount })
}

export const parseCriteriaDayRange: OperandParser<CriteriaDayRange> = (given, position) => {
  const object = toCriteriaInputObject(given)
  if (!object) return addCriteriaFault(position, 'must be an object with from and to: days from today')
  const read = (name: string) =>
    parseCriteriaInteger(object[name], [-MAX_DAYS, MAX_DAYS], childCriteriaPosition(position, name))
  const [from, to] = [read('from'), read('to')]
  if (from === undefined || to === undefined) return undefined
  return to < from ? addCriteriaFault(childCriteriaPosition(position, 'to'), 'is before "from"') : { from, to }
}
