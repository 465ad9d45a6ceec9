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
const MIN_PART_LENGTH = 3
const ID_PATTERN = /^[0-9a-z]{3,8}$/i
const ID_LENGTH = 8
/** A number as people write it. */
const NUMBER_PATTERN = /^\+?[\d\s().\-/]+$/

/** Contacts that a text may mean, as conditions on `contacts c`. */
export interface ContactTextMatch {
  /** It is the id, the unicity or a whole address of the contact. */
  whole: CriterionSql
  /** It is a part of an address or number, or what `whole` says. */
  any: CriterionSql
}

/** The number of a contact, where a text looks like an id: a word of fewer characters than ids have needs a digit. */
function parseTextId(text: string): number | undefined {
  return ID_PATTERN.test(text) && (text.length === ID_LENGTH || /\d/.test(text))
    ? parseContactId(text.padStart(ID_LENGTH, '0'))
    : undefined
}

/** The digits of a part of a number, without what stands before national numbers. */
function extractDigits(text: string): string | undefined {
  if (!NUMBER_PATTERN.test(text)) return undefined
  const digits = text.replaceAll(/\D/g, '').replace(/^00?/, '')
  return digits.length >= MIN_PART_LENGTH ? digits : undefined
}

/** A text as the field would store it, to compare with; undefined when it is no value of the field. */
function toStoredForm(shape: ContactShape, field: ContactFieldDefinition, text: string): StoredValue | undefined {
  const reading = shape.normaliser(field)(text)
  return 'fault' in reading ? undefined : (reading.ok ?? undefined)
}

/** A condition on the values of a field; it names that there is one, as its index does. */
function buildFieldCondition(
  { id, type }: ContactFieldDefinition,
  holds: (searched: CriterionSql) => CriterionSql,
): CriterionSql {
  const fieldValue = comparisonColumns[comparisonByFieldType[type]].value(sql`c.fields`, formatFieldKey(id))
  return sql`(${fieldValue} is not null and ${holds(buildSearchedValue(sql`c.fields`, id))})`
}

function matchWholeValue(shape: ContactShape, field: ContactFieldDefinition, text: string): CriterionSql[] {
  const storedText = toStoredForm(shape, field, text)
  if (storedText === undefined) return []
  const equalsStored = buildFieldCondition(field, (value) => sql`${value} = searched(${String(storedText)}::text)`)
  if (comparisonByFieldType[field.type] !== 'text') return [equalsStored]
  // The index of criteria, where there is one, has the value at once; that of parts would put it together from many.
  const key = comparisonColumns.text.key(comparisonColumns.text.value(sql`c.fields`, formatFieldKey(field.id)))
  return [sql`(${equalsStored} and ${key} = folded_start(${String(storedText)}::text))`]
}

function matchValuePart(field: ContactFieldDefinition, text: string): CriterionSql[] {
  const digits = extractDigits(text)
  if (field.type === 'phone')
    return digits === undefined
      ? []
      : [buildFieldCondition(field, (value) => sql`${value} like ${`%${digits}%`}::text`)]
  return text.length < MIN_PART_LENGTH
    ? []
    : [buildFieldCondition(field, (value) => sql`${value} like part_pattern(${text}::text)`)]
}

function joinAlternatives(conditions: readonly CriterionSql[]): CriterionSql {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}

/**
 * The contacts that a text may mean: by their id, their unicity, an address or number, or a part of at least three
 * characters of those; without regard to case and accents.
 */
export function buildContactTextMatch(shape: ContactShape, queryText: string): ContactTextMatch {
  const text = queryText.trim().normalize('NFC')
  const searchedFields = shape.fields.filter(isSearchedField)
  const [id, key] = [parseTextId(text), contactKeyFromUnicity(shape, text)]
  const wholeConditions = [
    ...(id === undefined ? [] : [sql`c.id = ${id}`]),
    ...(key === undefined ? [] : [sql`c.key = ${key}`]),
    ...searchedFields.flatMap((field) => matchWholeValue(shape, field, text)),
  ]
  return {
    whole: joinAlternatives(wholeConditions),
    any: joinAlternatives([...wholeConditions, ...searchedFields.flatMap((field) => matchValuePart(field, text))]),
  }
}
