import { sql } from 'kysely'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { comparisonByFieldType, comparisonColumns, formatFieldKey } from '../../segments/criteria/criterion-columns.ts'
import { createLazyMembers, type ObjectSqlCell, type SqlCell, type ValueListRef } from './cells.ts'
import type { RowRelation } from './relation.ts'

function getValueList(shape: ContactShape, field: ContactFieldDefinition): ValueListRef {
  const list = shape.lists.get(field.valueListId ?? 0)
  const values = list?.values ?? []
  return {
    account: shape.account,
    id: list?.id ?? 0,
    values,
    order: values.map(({ index }) => index),
    labels: shape.labels(field) ?? { find: () => undefined, label: () => undefined, labels: () => [] },
  }
}

/** A value of `contacts c`, computed as criteria and their indexes have it. */
function buildFieldCell(shape: ContactShape, field: ContactFieldDefinition): SqlCell {
  const comparison = comparisonByFieldType[field.type]
  const column = comparisonColumns[comparison]
  const value = column.value(sql`c.fields`, formatFieldKey(field.id))
  switch (comparison) {
    case 'text':
      return { kind: 'text', sql: value }
    case 'number':
      return { kind: 'number', sql: column.key(value) }
    case 'date':
      return { kind: 'date', sql: value, isText: true }
    case 'label':
      return { kind: 'label', sql: column.key(value), list: getValueList(shape, field) }
    case 'labels':
      return { kind: 'labels', sql: sql`coalesce(${value}, '[]')`, list: getValueList(shape, field) }
  }
}

/** Names that values of contacts have: their ids, and those of their fields. */
export function listContactValueNames(shape: ContactShape): Map<string, ContactFieldDefinition> {
  const fieldsByName = new Map<string, ContactFieldDefinition>()
  for (const field of shape.fields) if (field.name !== '__proto__') fieldsByName.set(field.name, field)
  for (const field of shape.fields) fieldsByName.set(String(field.id), field)
  return fieldsByName
}

function buildFieldsCell(shape: ContactShape): ObjectSqlCell {
  const fieldsByName = listContactValueNames(shape)
  return {
    kind: 'object',
    names: [...fieldsByName.keys()],
    member: createLazyMembers((name) => {
      const field = fieldsByName.get(name)
      return field && buildFieldCell(shape, field)
    }),
    fields: () => ({ sql: sql`c.fields`, shape }),
  }
}

/** All contacts of an account, in the order of their numbers. */
export function createContactRelation(shape: ContactShape): RowRelation {
  const id: SqlCell = { kind: 'contact', sql: sql`c.id` }
  const members: Readonly<Record<string, SqlCell>> = {
    id,
    unicity: { kind: 'text', sql: sql`c.unicity` },
    hash: { kind: 'text', sql: sql`encode(c.hash, 'hex')` },
    creationDate: { kind: 'date', sql: sql`c.created_at`, isText: false },
    lastUpdateDate: { kind: 'date', sql: sql`c.updated_at`, isText: false },
    fields: buildFieldsCell(shape),
  }
  return {
    from: () => sql`contacts c`,
    conditions: [sql`c.account = ${shape.account}`],
    row: {
      kind: 'object',
      names: Object.keys(members),
      member: (name) => (Object.hasOwn(members, name) ? members[name] : undefined),
    },
    order: [{ sql: sql`c.id` }],
    contact: () => sql`c.id`,
    isOfContacts: true,
    unique: id,
  }
}
