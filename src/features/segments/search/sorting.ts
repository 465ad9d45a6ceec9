import { sql } from 'kysely'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import {
  buildFieldSort,
  type CriterionSql,
  comparisonByFieldType,
  comparisonColumns,
  formatFieldKey,
} from '../criteria/criterion-columns.ts'

/** The sort order of a list of contacts: by a member of contacts, or by a field. */
export interface ContactSorting {
  /** As it is named in a request. */
  by: string
  descending: boolean
  field: ContactFieldDefinition | undefined
  /** The value that contacts are compared by, of `contacts c`; those of equal values stand by their ids. */
  key: CriterionSql
  /** Null if the contact does not have one: such contacts are sorted to the end, by their ids. */
  value: CriterionSql
  /** The type of the key in the database. */
  type: CriterionSql
  /** The name of the statistics of the key. */
  statistics: string | undefined
}

const contactColumns = { id: sql`c.id`, creationDate: sql`c.created_at`, lastUpdateDate: sql`c.updated_at` }
const contactColumnTypes = { id: sql`bigint`, creationDate: sql`timestamptz`, lastUpdateDate: sql`timestamptz` }
const sortKeyTypes = { text: sql`text`, number: sql`numeric`, date: sql`text`, label: sql`integer` }

function isContactColumn(by: string): by is keyof typeof contactColumns {
  return Object.hasOwn(contactColumns, by)
}

function buildFieldSorting(field: ContactFieldDefinition, descending: boolean): ContactSorting {
  const comparison = comparisonByFieldType[field.type]
  if (!field.isCriterion)
    throw badRequestProblem('/sort/by', `"${field.name}" cannot be used for sorting: its isCriterion is false`)
  if (comparison === 'labels')
    throw badRequestProblem('/sort/by', `"${field.name}" has several values: choose another field`)
  const { key, name } = buildFieldSort(field, sql`c.fields`)
  return {
    by: String(field.id),
    descending,
    field,
    key,
    statistics: name,
    type: sortKeyTypes[comparison],
    value: comparisonColumns[comparison].value(sql`c.fields`, formatFieldKey(field.id)),
  }
}

/** Reads what to sort by: `id`, `creationDate`, `lastUpdateDate` or a field with isCriterion. Throws 400. */
export function parseContactSorting(
  shape: ContactShape,
  requestedSort: { by?: string | number | undefined; order?: 'asc' | 'desc' | undefined } | null | undefined,
): ContactSorting {
  const sortMember = String(requestedSort?.by ?? 'id')
  const descending = requestedSort?.order === 'desc'
  if (isContactColumn(sortMember))
    return {
      by: sortMember,
      descending,
      field: undefined,
      key: contactColumns[sortMember],
      value: contactColumns[sortMember],
      type: contactColumnTypes[sortMember],
      statistics: undefined,
    }
  const sortField = shape.fields.find(({ id }) => String(id) === sortMember)
  if (!sortField)
    throw badRequestProblem(
      '/sort/by',
      `must be one of ${Object.keys(contactColumns).join(', ')}, or the id of a field`,
    )
  return buildFieldSorting(sortField, descending)
}

/** A place in a list: after (or at) a contact; `key` null: among those without a value. */
export interface ContactListPosition {
  key: string | null
  id: number
}

/** The order of contacts that have a value, or of those that have none. */
export function buildContactOrder({ key, descending, by }: ContactSorting, hasValue: boolean): CriterionSql {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  return hasValue && by !== 'id' ? sql`${key} ${direction}, c.id ${direction}` : sql`c.id ${direction}`
}

/** Contacts behind a place of the same order; `inclusive`: and that one. */
export function buildBeyondCondition(
  sorting: ContactSorting,
  { key, id }: ContactListPosition,
  inclusive: boolean,
): CriterionSql {
  const comparisonSign = sql.raw(`${sorting.descending ? '<' : '>'}${inclusive ? '=' : ''}`)
  if (key === null || sorting.by === 'id') return sql`c.id ${comparisonSign} ${id}`
  return sql`(${sorting.key}, c.id) ${comparisonSign} (${key}::text::${sorting.type}, ${id}::bigint)`
}
