import { sql } from 'kysely'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { FieldCriteriaLeaf, InstantCriteriaLeaf } from './criteria-types.ts'
import { comparisonByFieldType, comparisonColumns, formatFieldKey } from './criterion-columns.ts'
import { type CriteriaLeafOperator, fieldOperators, instantOperators } from './field-operators.ts'
import { type CriteriaFormula, noContactFormula } from './formula.ts'
import type { CriteriaLeafKind } from './leaf-kind.ts'
import { addCriteriaFault, type CriteriaInputObject, type CriteriaPosition, childCriteriaPosition } from './reading.ts'

/** A field named by its id. Notes one that is unknown. */
export function parseLeafField(rawField: unknown, position: CriteriaPosition): ContactFieldDefinition | undefined {
  const { shape, fields } = position.reading
  const field = shape.fields.find(({ id }) => id === rawField)
  if (!field) return addCriteriaFault(position, 'must be the id of a field')
  fields.add(field.id)
  return field
}

/** The operator and its value: the value is absent if the operator takes none, or if it could not be parsed. */
function parseCondition(
  leafInput: CriteriaInputObject,
  operators: Readonly<Record<string, CriteriaLeafOperator>>,
  {
    position,
    what: comparedLabel,
    field,
  }: { position: CriteriaPosition; what: string; field?: ContactFieldDefinition },
): { operator: string; value?: unknown } {
  const name = String(leafInput['operator'])
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined
  if (!operator) {
    addCriteriaFault(
      childCriteriaPosition(position, 'operator'),
      `the operator for ${comparedLabel} must be one of ${Object.keys(operators).join(', ')}`,
    )
    return { operator: '' }
  }
  const value = operator.read(leafInput['value'], childCriteriaPosition(position, 'value'), field)
  return { operator: name, ...(value !== undefined && { value }) }
}

function buildConditionFormula(
  { negated, holds }: CriteriaLeafOperator,
  ...[compared, value, present]: Parameters<CriteriaLeafOperator['holds']>
): CriteriaFormula {
  return { type: 'test', holds: holds(compared, value, present), negated }
}

export const fieldLeafKind: CriteriaLeafKind<FieldCriteriaLeaf> = {
  read(leafInput, position) {
    const field = parseLeafField(leafInput['field'], childCriteriaPosition(position, 'field'))
    if (!field) return { type: 'field', field: 0, operator: '' }
    if (!field.isCriterion)
      addCriteriaFault(
        childCriteriaPosition(position, 'field'),
        `"${field.name}" cannot be used in criteria: its isCriterion is false`,
      )
    const comparedLabel = `a field of type ${field.type}`
    const condition = parseCondition(leafInput, fieldOperators[comparisonByFieldType[field.type]], {
      position,
      what: comparedLabel,
      field,
    })
    return { type: 'field', field: field.id, ...condition }
  },
  formula({ field, operator: name, value }, { fields, ...present }) {
    const type = fields.get(field)
    const operator = type && fieldOperators[comparisonByFieldType[type]][name]
    if (!type || !operator) return noContactFormula
    const column = comparisonColumns[comparisonByFieldType[type]]
    const storedValue = column.value(sql`c.fields`, formatFieldKey(field))
    return buildConditionFormula(operator, { value: storedValue, key: column.key(storedValue) }, value, present)
  },
}

const instantColumnsByType = { creationDate: sql`c.created_at`, lastUpdateDate: sql`c.updated_at` }

/** The dates that the service stores of a contact. */
export function createInstantLeafKind<Type extends keyof typeof instantColumnsByType>(
  type: Type,
): CriteriaLeafKind<InstantCriteriaLeaf<Type>> {
  const column = instantColumnsByType[type]
  return {
    read: (leafInput, position) => ({ type, ...parseCondition(leafInput, instantOperators, { position, what: type }) }),
    formula({ operator: name, value }, present) {
      const operator = instantOperators[name]
      return operator
        ? buildConditionFormula(operator, { value: column, key: column }, value, present)
        : noContactFormula
    },
  }
}
