import { sql } from 'kysely'
import { parseContactId } from '../../../lib/ids.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { StoredValue } from '../../contacts/fields/identity.ts'
import { contactKeyFromUnicity } from '../../contacts/records/find.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import {
  buildSearchedValue,
  type CriterionSql,
  comparisonByFieldType,
  comparisonColumns,
  formatFieldKey,
  isSearchedField,
} from '../criteria/criterion-columns.ts'

/** Characters from which on a text is looked for as a part of addresses. */
const SHORTEST_PART = 3
const ID = /^[0-9a-z]{3,8}$/i
const ID_LENGTH = 8
/** A number as people write it. */
const NUMBER = /^\+?[\d\s().\-/]+$/

/** Contacts that a text may mean, as conditions on `contacts c`. */
export interface ContactTextMatch {
  /** It is the id, the unicity or a whole address of the contact. */
  whole: CriterionSql
  /** It is a part of an address or number, or what `whole` says. */
  any: CriterionSql
}

/** The number of a contact, where a text looks like an id: a word of fewer characters than ids have needs a digit. */
function readId(text: string): number | undefined {
  return ID.test(text) && (text.length === ID_LENGTH || /\d/.test(text))
    ? parseContactId(text.padStart(ID_LENGTH, '0'))
    : undefined
}

/** The digits of a part of a number, without what stands before national numbers. */
function digitsOf(text: string): string | undefined {
  if (!NUMBER.test(text)) return undefined
  const digits = text.replaceAll(/\D/g, '').replace(/^00?/, '')
  return digits.length >= SHORTEST_PART ? digits : undefined
}

/** A text as the field would store it, to compare with; undefined when it is no value of the field. */
function storedForm(shape: ContactShape, field: ContactFieldDefinition, text: string): StoredValue | undefined {
  const reading = shape.normaliser(field)(text)
  return 'fault' in reading ? undefined : (reading.ok ?? undefined)
}

/** A condition on the values of a field; it names that there is one, as its index does. */
function onField({ id, type }: ContactFieldDefinition, holds: (searched: CriterionSql) => CriterionSql): CriterionSql {
  const stored = comparisonColumns[comparisonByFieldType[type]].value(sql`c.fields`, formatFieldKey(id))
  return sql`(${stored} is not null and ${holds(buildSearchedValue(sql`c.fields`, id))})`
}

function wholeOf(shape: ContactShape, field: ContactFieldDefinition, text: string): CriterionSql[] {
  const stored = storedForm(shape, field, text)
  if (stored === undefined) return []
  const same = onField(field, (value) => sql`${value} = searched(${String(stored)}::text)`)
  if (comparisonByFieldType[field.type] !== 'text') return [same]
  // The index of criteria, where there is one, has the value at once; that of parts would put it together from many.
  const key = comparisonColumns.text.key(comparisonColumns.text.value(sql`c.fields`, formatFieldKey(field.id)))
  return [sql`(${same} and ${key} = folded_start(${String(stored)}::text))`]
}

function partOf(field: ContactFieldDefinition, text: string): CriterionSql[] {
  const digits = digitsOf(text)
  if (field.type === 'phone')
    return digits === undefined ? [] : [onField(field, (value) => sql`${value} like ${`%${digits}%`}::text`)]
  return text.length < SHORTEST_PART ? [] : [onField(field, (value) => sql`${value} like part_pattern(${text}::text)`)]
}

function anyOf(conditions: readonly CriterionSql[]): CriterionSql {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}

/**
 * The contacts that a text may mean: by their id, their unicity, an address or number, or a part of at least three
 * characters of those; without regard to case and accents.
 */
export function buildContactTextMatch(shape: ContactShape, given: string): ContactTextMatch {
  const text = given.trim().normalize('NFC')
  const fields = shape.fields.filter(isSearchedField)
  const [id, key] = [readId(text), contactKeyFromUnicity(shape, text)]
  const whole = [
    ...(id === undefined ? [] : [sql`c.id = ${id}`]),
    ...(key === undefined ? [] : [sql`c.key = ${key}`]),
    ...fields.flatMap((field) => wholeOf(shape, field, text)),
  ]
  return { whole: anyOf(whole), any: anyOf([...whole, ...fields.flatMap((field) => partOf(field, text))]) }
}
