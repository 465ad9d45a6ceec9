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

const MAX_CONDITION_DEPTH = 20
const MAX_CONDITION_LEAVES = 200
const CONDITION_GROUPS = ['all', 'any', 'none'] as const

const comparisonShape = objectShape(
  {
    left: requiredMember(rowExpressionShape()),
    operator: requiredMember(enumShape(...comparisonOperatorNames)),
    right: optionalMember(rowExpressionShape()),
    exact: defaultedMember(booleanShape, false),
  },
  ({ operator, right }, path, visitor) => {
    const isUnary = operator === 'empty' || operator === 'notEmpty'
    if (right === null && operator !== null && !isUnary)
      visitor.flaw?.(createFlaw('missing-setting', `${path}/right`, '"right" is required.'))
  },
)
const criteriaTestShape = objectShape({ value: requiredMember(criteriaShape) })
const expressionTestShape = rowExpressionShape('condition')

/** A comparison of two values of a row. */
export type RowComparison = { type: 'compare' } & ShapeValue<typeof comparisonShape>
export type ConditionLeaf =
  | RowComparison
  | ({ type: 'criteria' } & ShapeValue<typeof criteriaTestShape>)
  | DefinitionExpression
export type RowCondition = { all: RowCondition[] } | { any: RowCondition[] } | { none: RowCondition[] } | ConditionLeaf

/** The nodes of a group, and how they are put together; undefined for a leaf. */
export function findConditionGroup(
  condition: RowCondition,
): { group: (typeof CONDITION_GROUPS)[number]; nodes: RowCondition[] } | undefined {
  const group = CONDITION_GROUPS.find((name) => name in condition)
  return group && { group, nodes: (condition as Record<string, RowCondition[]>)[group]! }
}

function parseLeaf(rawLeaf: unknown, place: DefinitionLocation): ConditionLeaf {
  const { type, ...members } = isJsonObject(rawLeaf) ? rawLeaf : { type: undefined }
  if (type === 'compare') return { type, ...comparisonShape.read(members, place) }
  if (type === 'criteria') return { type, ...criteriaTestShape.read(members, place) }
  if (isJsonObject(rawLeaf) && !expressionTypes.some((leafType) => leafType === type))
    return addStructureFault(
      locateMember(place, 'type'),
      `must be one of compare, criteria, ${expressionTypes.join(', ')}`,
    )
  return parseExpression(rawLeaf, place, expressionTypes)
}

function parseNode(
  rawNode: unknown,
  place: DefinitionLocation,
  leafCounter: { leaves: number },
  level: number,
): RowCondition {
  const [group, ...otherGroups] = isJsonObject(rawNode)
    ? CONDITION_GROUPS.filter((name) => (rawNode[name] ?? null) !== null)
    : []
  if (group === undefined) {
    leafCounter.leaves++
    return parseLeaf(rawNode, place)
  }
  const nodes = (rawNode as Record<string, unknown>)[group]
  if (otherGroups.length > 0 || 'type' in (rawNode as object))
    return addStructureFault(place, 'must be one group, or a leaf with a type')
  if (level > MAX_CONDITION_DEPTH)
    return addStructureFault(place, `conditions can be nested at most ${MAX_CONDITION_DEPTH} levels deep`)
  if (!Array.isArray(nodes))
    return addStructureFault(locateMember(place, group), 'must be an array of groups and leaves')
  const parsedNodes = nodes.map((node, index) =>
    parseNode(node, locateMember(locateMember(place, group), index), leafCounter, level + 1),
  )
  return { [group]: parsedNodes } as RowCondition
}

function visitNode(condition: RowCondition, path: string, visitor: DefinitionVisitor): void {
  const innerGroup = findConditionGroup(condition)
  if (innerGroup)
    for (const [index, node] of innerGroup.nodes.entries())
      visitNode(node, `${appendJsonPointer(path, innerGroup.group)}/${index}`, visitor)
  else if ('type' in condition) {
    if (condition.type === 'compare') comparisonShape.visit?.(condition, path, visitor)
    else if (condition.type === 'criteria') criteriaTestShape.visit?.(condition, path, visitor)
    else expressionTestShape.visit?.(condition, path, visitor)
  }
}

/** Reads a condition: groups over comparisons, criteria and expressions. */
export const rowConditionShape: DefinitionShape<RowCondition> = {
  read(rawCondition, place) {
    const leafCounter = { leaves: 0 }
    const parsedCondition = parseNode(rawCondition, place, leafCounter, 1)
    if (leafCounter.leaves > MAX_CONDITION_LEAVES)
      return addStructureFault(place, `has more than ${MAX_CONDITION_LEAVES} leaves`)
    return parsedCondition
  },
  visit: visitNode,
}

/** The leaves of a condition, each with the pointer to it. */
export function listConditionLeaves(condition: RowCondition, path: string): { leaf: ConditionLeaf; path: string }[] {
  const innerGroup = findConditionGroup(condition)
  if (!innerGroup) return [{ leaf: condition as ConditionLeaf, path }]
  return innerGroup.nodes.flatMap((node, index) => listConditionLeaves(node, `${path}/${innerGroup.group}/${index}`))
}
