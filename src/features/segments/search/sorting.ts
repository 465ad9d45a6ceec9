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

/** What a list of contacts is sorted by: a member of contacts, or a field. */
export interface ContactSorting {
  /** As it is named in a request. */
  by: string
  descending: boolean
  field: ContactFieldDefinition | undefined
  /** The value that contacts are compared by, of `contacts c`; those of equal values stand by their ids. */
  key: CriterionSql
  /** Null where the contact has none: such contacts stand at the end, by their ids. */
  value: CriterionSql
  /** The type of the key in the database. */
  type: CriterionSql
  /** The name of the statistics of the key. */
  statistics: string | undefined
}

const own = { id: sql`c.id`, creationDate: sql`c.created_at`, lastUpdateDate: sql`c.updated_at` }
const ownTypes = { id: sql`bigint`, creationDate: sql`timestamptz`, lastUpdateDate: sql`timestamptz` }
const fieldTypes = { text: sql`text`, number: sql`numeric`, date: sql`text`, label: sql`integer` }

function isOwn(by: string): by is keyof typeof own {
  return Object.hasOwn(own, by)
}

function sortingByField(field: ContactFieldDefinition, descending: boolean): ContactSorting {
  const comparison = comparisonByFieldType[field.type]
  if (!field.isCriterion)
    throw badRequestProblem('/sort/by', `"${field.name}" is no criterion: its isCriterion is false`)
  if (comparison === 'labels')
    throw badRequestProblem('/sort/by', `"${field.name}" holds several values: choose another field`)
  const { key, name } = buildFieldSort(field, sql`c.fields`)
  return {
    ...{ by: String(field.id), descending, field, key, statistics: name, type: fieldTypes[comparison] },
    value: comparisonColumns[comparison].value(sql`c.fields`, formatFieldKey(field.id)),
  }
}

/** Reads what to sort by: `id`, `creationDate`, `lastUpdateDate` or a field with isCriterion. Throws 400. */
export function parseContactSorting(
  shape: ContactShape,
  given: { by?: string | number | undefined; order?: 'asc' | 'desc' | undefined } | null | undefined,
): ContactSorting {
  const by = String(given?.by ?? 'id')
  const descending = given?.order === 'desc'
  if (isOwn(by))
    return { by, descending, field: undefined, key: own[by], value: own[by], type: ownTypes[by], statistics: undefined }
  const field = shape.fields.find(({ id }) => String(id) === by)
  if (!field) throw badRequestProblem('/sort/by', `must be one of ${Object.keys(own).join(', ')}, or the id of a field`)
  return sortingByField(field, descending)
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
  const sign = sql.raw(`${sorting.descending ? '<' : '>'}${inclusive ? '=' : ''}`)
  if (key === null || sorting.by === 'id') return sql`c.id ${sign} ${id}`
  return sql`(${sorting.key}, c.id) ${sign} (${key}::text::${sorting.type}, ${id}::bigint)`
}
