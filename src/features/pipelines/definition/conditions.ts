import { appendJsonPointer } from '../../../lib/errors/problem.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { parseExpression } from '../../../scripting/expressions/expression.ts'
import { type DefinitionExpression, expressionTypes } from '../../../scripting/expressions/expression-types.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  locateMember,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import {
  addStructureFault,
  type DefinitionLocation,
  type DefinitionShape,
  type DefinitionVisitor,
  type ShapeValue,
} from '../../../scripting/schemas/shape.ts'
import { booleanShape, criteriaShape, enumShape } from '../../../scripting/schemas/values.ts'
import { comparisonOperatorNames } from '../values/operators.ts'
import { rowExpressionShape } from './expressions.ts'

const MAX_DEPTH = 20
const MAX_LEAVES = 200
const groups = ['all', 'any', 'none'] as const

const compare = objectShape(
  {
    left: requiredMember(rowExpressionShape()),
    operator: requiredMember(enumShape(...comparisonOperatorNames)),
    right: optionalMember(rowExpressionShape()),
    exact: defaultedMember(booleanShape, false),
  },
  ({ operator, right }, path, visitor) => {
    const isAlone = operator === 'empty' || operator === 'notEmpty'
    if (right === null && operator !== null && !isAlone)
      visitor.flaw?.(createFlaw('missing-setting', `${path}/right`, '"right" is required.'))
  },
)
const ofCriteria = objectShape({ value: requiredMember(criteriaShape) })
const holds = rowExpressionShape('condition')

/** A comparison of two values of a row. */
export type RowComparison = { type: 'compare' } & ShapeValue<typeof compare>
export type ConditionLeaf =
  | RowComparison
  | ({ type: 'criteria' } & ShapeValue<typeof ofCriteria>)
  | DefinitionExpression
export type RowCondition = { all: RowCondition[] } | { any: RowCondition[] } | { none: RowCondition[] } | ConditionLeaf

/** The nodes of a group, and how they are put together; undefined for a leaf. */
export function findConditionGroup(
  condition: RowCondition,
): { group: (typeof groups)[number]; nodes: RowCondition[] } | undefined {
  const group = groups.find((name) => name in condition)
  return group && { group, nodes: (condition as Record<string, RowCondition[]>)[group]! }
}

function readLeaf(given: unknown, place: DefinitionLocation): ConditionLeaf {
  const { type, ...members } = isJsonObject(given) ? given : { type: undefined }
  if (type === 'compare') return { type, ...compare.read(members, place) }
  if (type === 'criteria') return { type, ...ofCriteria.read(members, place) }
  if (isJsonObject(given) && !expressionTypes.some((one) => one === type))
    return addStructureFault(
      locateMember(place, 'type'),
      `must be one of compare, criteria, ${expressionTypes.join(', ')}`,
    )
  return parseExpression(given, place, expressionTypes)
}

function readNode(given: unknown, place: DefinitionLocation, counted: { leaves: number }, level: number): RowCondition {
  const [group, ...others] = isJsonObject(given) ? groups.filter((name) => (given[name] ?? null) !== null) : []
  if (group === undefined) {
    counted.leaves++
    return readLeaf(given, place)
  }
  const nodes = (given as Record<string, unknown>)[group]
  if (others.length > 0 || 'type' in (given as object))
    return addStructureFault(place, 'must be one group, or a leaf with a type')
  if (level > MAX_DEPTH) return addStructureFault(place, `conditions are at most ${MAX_DEPTH} levels deep`)
  if (!Array.isArray(nodes))
    return addStructureFault(locateMember(place, group), 'must be an array of groups and leaves')
  const read = nodes.map((node, index) =>
    readNode(node, locateMember(locateMember(place, group), index), counted, level + 1),
  )
  return { [group]: read } as RowCondition
}

function visitNode(condition: RowCondition, path: string, visitor: DefinitionVisitor): void {
  const inner = findConditionGroup(condition)
  if (inner)
    for (const [index, node] of inner.nodes.entries())
      visitNode(node, `${appendJsonPointer(path, inner.group)}/${index}`, visitor)
  else if ('type' in condition) {
    if (condition.type === 'compare') compare.visit?.(condition, path, visitor)
    else if (condition.type === 'criteria') ofCriteria.visit?.(condition, path, visitor)
    else holds.visit?.(condition, path, visitor)
  }
}

/** Reads a condition: groups over comparisons, criteria and expressions. */
export const rowConditionShape: DefinitionShape<RowCondition> = {
  read(given, place) {
    const counted = { leaves: 0 }
    const read = readNode(given, place, counted, 1)
    if (counted.leaves > MAX_LEAVES) return addStructureFault(place, `has more than ${MAX_LEAVES} leaves`)
    return read
  },
  visit: visitNode,
}

/** The leaves of a condition, each with the pointer to it. */
export function listConditionLeaves(condition: RowCondition, path: string): { leaf: ConditionLeaf; path: string }[] {
  const inner = findConditionGroup(condition)
  if (!inner) return [{ leaf: condition as ConditionLeaf, path }]
  return inner.nodes.flatMap((node, index) => listConditionLeaves(node, `${path}/${inner.group}/${index}`))
}
