import { sql } from 'kysely'
import type { Field } from '../../contacts/fields/field-schemas.ts'
import type { FieldLeaf, InstantLeaf } from './criteria-types.ts'
import { columns, comparisonOf, fieldKey } from './criterion-columns.ts'
import { fieldOperators, instantOperators, type Operator } from './field-operators.ts'
import { type Formula, none } from './formula.ts'
import type { LeafKind } from './leaf-kind.ts'
import { below, fault, type Given, type Position } from './reading.ts'

/** A field named by its id. Notes one that is unknown. */
export function readField(given: unknown, position: Position): Field | undefined {
  const { shape, fields } = position.reading
  const field = shape.fields.find(({ id }) => id === given)
  if (!field) return fault(position, 'must be the id of a field')
  fields.add(field.id)
  return field
}

/** The operator and its value: the value is absent when there is none, or it could not be read. */
function readCondition(
  given: Given,
  operators: Readonly<Record<string, Operator>>,
  { position, what, field }: { position: Position; what: string; field?: Field },
): { operator: string; value?: unknown } {
  const name = String(given['operator'])
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
  if (!operator) {
    fault(below(position, 'operator'), `${what} is compared by ${Object.keys(operators).join(', ')}`)
    return { operator: '' }
  }
  const value = operator.read(given['value'], below(position, 'value'), field)
  return { operator: name, ...(value !== undefined && { value }) }
}

function conditionFormula(
  { negated, holds }: Operator,
  ...[compared, value, present]: Parameters<Operator['holds']>
): Formula {
  return { type: 'test', holds: holds(compared, value, present), negated }
}

export const fieldLeaf: LeafKind<FieldLeaf> = {
  read(given, position) {
    const field = readField(given['field'], below(position, 'field'))
    if (!field) return { type: 'field', field: 0, operator: '' }
    if (!field.isCriterion) fault(below(position, 'field'), `"${field.name}" is no criterion: its isCriterion is false`)
    const what = `a field of type ${field.type}`
    const condition = readCondition(given, fieldOperators[comparisonOf[field.type]], { position, what, field })
    return { type: 'field', field: field.id, ...condition }
  },
  formula({ field, operator: name, value }, { fields, ...present }) {
    const type = fields.get(field)
    const operator = type && fieldOperators[comparisonOf[type]][name]
    if (!type || !operator) return none
    const column = columns[comparisonOf[type]]
    const stored = column.value(sql`c.fields`, fieldKey(field))
    return conditionFormula(operator, { value: stored, key: column.key(stored) }, value, present)
  },
}

const instantColumns = { creationDate: sql`c.created_at`, lastUpdateDate: sql`c.updated_at` }

/** The dates that the service stores of a contact. */
export function instantLeaf<Type extends keyof typeof instantColumns>(type: Type): LeafKind<InstantLeaf<Type>> {
  const column = instantColumns[type]
  return {
    read: (given, position) => ({ type, ...readCondition(given, instantOperators, { position, what: type }) }),
    formula({ operator: name, value }, present) {
      const operator = instantOperators[name]
      return operator ? conditionFormula(operator, { value: column, key: column }, value, present) : none
    },
  }
}
