import { dateOfMs, NO_DATE } from '../../../lib/time/period.ts'
import type { Field } from '../../contacts/fields/field-schemas.ts'
import { readDate } from '../../contacts/values/date-text.ts'
import { isLongerThan } from '../../contacts/values/text-value.ts'
import { type Amount, type DayRange, type Moment, type Span, units } from './criteria-types.ts'
import { below, fault, type Given, isGiven, objectOf, type Position, readInteger, readWord } from './reading.ts'

/** Reads the value of an operator: notes a fault and gives undefined then. `field` is absent for a contact's own dates. */
export type ReadOperand<Value> = (given: unknown, position: Position, field?: Field) => Value | undefined

const MAX_VALUES = 1000
const LONGEST_FRAGMENT = 1000
const MAX_UNITS = 100_000
const MAX_DAYS = 366
const UNSTORABLE = /[\0\p{Cs}]/u

/** A value of the field's type, in the form contacts hold it: a label is its index. */
export const oneValue: ReadOperand<string | number> = (given, position, field) => {
  if (field === undefined || (typeof given !== 'string' && typeof given !== 'number')) {
    return fault(position, 'must be one value: a text or a number')
  }
  const reading = position.reading.shape.normaliser(field)(given)
  if ('fault' in reading) return fault(position, reading.detail)
  const [value] = [reading.ok].flat()
  return value ?? fault(position, 'must not be empty: the operators empty and notEmpty are for that')
}

export const manyValues: ReadOperand<(string | number)[]> = (given, position, field) => {
  if (!Array.isArray(given) || given.length > MAX_VALUES) {
    return fault(position, `must be an array of at most ${MAX_VALUES} values`)
  }
  return given.flatMap((one, index) => oneValue(one, below(position, index), field) ?? [])
}

/** Part of a text: blanks count, and there are no wildcards. */
export const fragment: ReadOperand<string> = (given, position) => {
  const text = typeof given === 'string' ? given.normalize('NFC') : ''
  if (text === '' || isLongerThan(text, LONGEST_FRAGMENT) || UNSTORABLE.test(text)) {
    return fault(position, `must be a text of 1 to ${LONGEST_FRAGMENT} characters`)
  }
  return text
}

/** Both ends inclusive. */
export const valueRange: ReadOperand<(string | number)[]> = (given, position, field) => {
  if (!Array.isArray(given) || given.length !== 2) return fault(position, 'must be an array of two values: [from, to]')
  const values = manyValues(given, position, field)
  const [from, to] = values ?? []
  if (from === undefined || to === undefined) return undefined
  return to < from ? fault(position, 'must not end before it starts') : values
}

export const noValue: ReadOperand<undefined> = (given, position) =>
  isGiven(given) ? fault(position, 'must be absent: the operator takes no value') : undefined

function readAmount(given: unknown, min: number, position: Position): Amount | undefined {
  const object = objectOf(given)
  if (!object) return fault(position, 'must be an object with value and unit')
  const value = readInteger(object['value'], [min, MAX_UNITS], below(position, 'value'))
  const unit = readWord(object['unit'], units, below(position, 'unit'))
  return value === undefined || unit === undefined ? undefined : { value, unit }
}

function readFixed(given: unknown, position: Position): string | undefined {
  const { dateOrder } = position.reading.shape.settings
  const date =
    typeof given === 'string'
      ? readDate(given.trim(), dateOrder)
      : typeof given === 'number'
        ? dateOfMs(given)
        : undefined
  return date ?? fault(position, NO_DATE)
}

/** The one member, of some, that an object has; a fault when it has none, or several. */
function onlyMember(object: Given, names: readonly string[]): string | undefined {
  const [name, ...others] = names.filter((known) => isGiven(object[known]))
  return others.length === 0 ? name : undefined
}

export const moment: ReadOperand<Moment> = (given, position) => {
  const object = objectOf(given)
  if (!object) return readFixed(given, position)
  const name = onlyMember(object, ['ago', 'ahead'])
  if (name === undefined) return fault(position, `${NO_DATE}, or an object with ago or ahead`)
  const amount = readAmount(object[name], 0, below(position, name))
  return amount && (name === 'ago' ? { ago: amount } : { ahead: amount })
}

/** Start inclusive, end exclusive. */
export const momentRange: ReadOperand<[Moment, Moment]> = (given, position) => {
  if (!Array.isArray(given) || given.length !== 2) return fault(position, 'must be an array of two dates: [start, end]')
  const [start, end] = given.map((one, index) => moment(one, below(position, index)))
  if (start === undefined || end === undefined) return undefined
  return isBefore(end, start) ? fault(position, 'must not end before it starts') : [start, end]
}

function isBefore(one: Moment | undefined, other: Moment | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && one < other
}

function readFixedSpan(object: Given, position: Position): Span | undefined {
  const read = (name: string) => (isGiven(object[name]) ? readFixed(object[name], below(position, name)) : undefined)
  const [start, end] = [read('start'), read('end')]
  if (isBefore(end, start)) return fault(below(position, 'end'), 'is before "start"')
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
}

/** `{"last"}`, `{"next"}`, or `{"start", "end"}`, of which one is enough. */
export const span: ReadOperand<Span> = (given, position) => {
  const object = objectOf(given)
  const kinds = object ? ['last', 'next'].filter((name) => isGiven(object[name])) : []
  const isFixed = object !== undefined && (isGiven(object['start']) || isGiven(object['end']))
  if (!object || kinds.length + Number(isFixed) !== 1) {
    return fault(position, 'must be an object with last, with next, or with start and end')
  }
  const [kind] = kinds
  if (kind === undefined) return readFixedSpan(object, position)
  const amount = readAmount(object[kind], 1, below(position, kind))
  return amount && (kind === 'last' ? { last: amount } : { next: amount })
}

export const dayRange: ReadOperand<DayRange> = (given, position) => {
  const object = objectOf(given)
  if (!object) return fault(position, 'must be an object with from and to: days from today')
  const read = (name: string) => readInteger(object[name], [-MAX_DAYS, MAX_DAYS], below(position, name))
  const [from, to] = [read('from'), read('to')]
  if (from === undefined || to === undefined) return undefined
  return to < from ? fault(below(position, 'to'), 'is before "from"') : { from, to }
}
