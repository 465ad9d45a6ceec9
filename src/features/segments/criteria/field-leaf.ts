import { sql } from 'kysely'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { FieldCriteriaLeaf, InstantCriteriaLeaf } from './criteria-types.ts'
import { comparisonByFieldType, comparisonColumns, formatFieldKey } from './criterion-columns.ts'
import { type CriteriaLeafOperator, fieldOperators, instantOperators } from './field-operators.ts'
import { type CriteriaFormula, noContactFormula } from './formula.ts'
import type { CriteriaLeafKind } from './leaf-kind.ts'
import { addCriteriaFault, type CriteriaInputObject, type CriteriaPosition, childCriteriaPosition } from './reading.ts'

/** A field named by its id. Notes one that is unknown. */
export function parseLeafField(given: unknown, position: CriteriaPosition): ContactFieldDefinition | undefined {
  const { shape, fields } = position.reading
  const field = shape.fields.find(({ id }) => id === given)
  if (!field) return addCriteriaFault(position, 'must be the id of a field')
  fields.add(field.id)
  return field
}

/** The operator and its value: the value is absent when there is none, or it could not be read. */
function readCondition(
  given: CriteriaInputObject,
  operators: Readonly<Record<string, CriteriaLeafOperator>>,
  { position, what, field }: { position: CriteriaPosition; what: string; field?: ContactFieldDefinition },
): { operator: string; value?: unknown } {
  const name = String(given['operator'])
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
  if (!operator) {
    addCriteriaFault(
      childCriteriaPosition(position, 'operator'),
      `${what} is compared by ${Object.keys(operators).join(', ')}`,
    )
    return { operator: '' }
  }
  const value = operator.read(given['value'], childCriteriaPosition(position, 'value'), field)
  return { operator: name, ...(value !== undefined && { value }) }
}

function conditionFormula(
  { negated, holds }: CriteriaLeafOperator,
  ...[compared, value, present]: Parameters<CriteriaLeafOperator['holds']>
): CriteriaFormula {
  return { type: 'test', holds: holds(compared, value, present), negated }
}

export const fieldLeafKind: CriteriaLeafKind<FieldCriteriaLeaf> = {
  read(given, position) {
    const field = parseLeafField(given['field'], childCriteriaPosition(position, 'field'))
    if (!field) return { type: 'field', field: 0, operator: '' }
    if (!field.isCriterion)
      addCriteriaFault(
        childCriteriaPosition(position, 'field'),
        `"${field.name}" is no criterion: its isCriterion is false`,
      )
    const what = `a field of type ${field.type}`
    const condition = readCondition(given, fieldOperators[comparisonByFieldType[field.type]], { position, what, field })
    return { type: 'field', field: field.id, ...condition }
  },
  formula({ field, operator: name, value }, { fields, ...present }) {
    const type = fields.get(field)
    const operator = type && fieldOperators[comparisonByFieldType[type]][name]
    if (!type || !operator) return noContactFormula
    const column = comparisonColumns[comparisonByFieldType[type]]
    const stored = column.value(sql`c.fields`, formatFieldKey(field))
    return conditionFormula(operator, { value: stored, key: column.key(stored) }, value, present)
  },
}

const instantColumns = { creationDate: sql`c.created_at`, lastUpdateDate: sql`c.updated_at` }

/** The dates that the service stores of a contact. */
export function createInstantLeafKind<Type extends keyof typeof instantColumns>(
  type: Type,
): CriteriaLeafKind<InstantCriteriaLeaf<Type>> {
  const column = instantColumns[type]
  return {
    read: (given, position) => ({ type, ...readCondition(given, instantOperators, { position, what: type }) }),
    formula({ operator: name, value }, present) {
      const operator = instantOperators[name]
      return operator ? conditionFormula(operator, { value: column, key: column }, value, present) : noContactFormula
    },
  }
}
