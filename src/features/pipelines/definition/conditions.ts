import { pointerTo } from '../../../lib/errors/problem.ts'
import { isObject } from '../../../lib/objects.ts'
import { readExpression } from '../../../scripting/expressions/expression.ts'
import { type Expression, expressionTypes } from '../../../scripting/expressions/expression-types.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { defaulted, object, optional, required, within } from '../../../scripting/schemas/objects.ts'
import { fault, type Place, type Read, type Shape, type Visitor } from '../../../scripting/schemas/shape.ts'
import { criteria, truth, word } from '../../../scripting/schemas/values.ts'
import { operatorNames } from '../values/operators.ts'
import { ofRow } from './expressions.ts'

const MAX_DEPTH = 20
const MAX_LEAVES = 200
const groups = ['all', 'any', 'none'] as const

const compare = object(
  {
    left: required(ofRow()),
    operator: required(word(...operatorNames)),
    right: optional(ofRow()),
    exact: defaulted(truth, false),
  },
  ({ operator, right }, path, visitor) => {
    const isAlone = operator === 'empty' || operator === 'notEmpty'
    if (right === null && operator !== null && !isAlone)
      visitor.flaw?.(flaw('missing-setting', `${path}/right`, '"right" is required.'))
  },
)
const ofCriteria = object({ value: required(criteria) })
const holds = ofRow('condition')

/** A comparison of two values of a row. */
export type Compare = { type: 'compare' } & Read<typeof compare>
export type Leaf = Compare | ({ type: 'criteria' } & Read<typeof ofCriteria>) | Expression
export type Condition = { all: Condition[] } | { any: Condition[] } | { none: Condition[] } | Leaf

/** The nodes of a group, and how they are put together; undefined for a leaf. */
export function groupOf(condition: Condition): { group: (typeof groups)[number]; nodes: Condition[] } | undefined {
  const group = groups.find((name) => name in condition)
  return group && { group, nodes: (condition as Record<string, Condition[]>)[group]! }
}

function readLeaf(given: unknown, place: Place): Leaf {
  const { type, ...members } = isObject(given) ? given : { type: undefined }
  if (type === 'compare') return { type, ...compare.read(members, place) }
  if (type === 'criteria') return { type, ...ofCriteria.read(members, place) }
  if (isObject(given) && !expressionTypes.some((one) => one === type))
    return fault(within(place, 'type'), `must be one of compare, criteria, ${expressionTypes.join(', ')}`)
  return readExpression(given, place, expressionTypes)
}

function readNode(given: unknown, place: Place, counted: { leaves: number }, level: number): Condition {
  const [group, ...others] = isObject(given) ? groups.filter((name) => (given[name] ?? null) !== null) : []
  if (group === undefined) {
    counted.leaves++
    return readLeaf(given, place)
  }
  const nodes = (given as Record<string, unknown>)[group]
  if (others.length > 0 || 'type' in (given as object)) return fault(place, 'must be one group, or a leaf with a type')
  if (level > MAX_DEPTH) return fault(place, `conditions are at most ${MAX_DEPTH} levels deep`)
  if (!Array.isArray(nodes)) return fault(within(place, group), 'must be an array of groups and leaves')
  const read = nodes.map((node, index) => readNode(node, within(within(place, group), index), counted, level + 1))
  return { [group]: read } as Condition
}

function visitNode(condition: Condition, path: string, visitor: Visitor): void {
  const inner = groupOf(condition)
  if (inner)
    for (const [index, node] of inner.nodes.entries())
      visitNode(node, `${pointerTo(path, inner.group)}/${index}`, visitor)
  else if ('type' in condition) {
    if (condition.type === 'compare') compare.visit?.(condition, path, visitor)
    else if (condition.type === 'criteria') ofCriteria.visit?.(condition, path, visitor)
    else holds.visit?.(condition, path, visitor)
  }
}

/** Reads a condition: groups over comparisons, criteria and expressions. */
export const condition: Shape<Condition> = {
  read(given, place) {
    const counted = { leaves: 0 }
    const read = readNode(given, place, counted, 1)
    if (counted.leaves > MAX_LEAVES) return fault(place, `has more than ${MAX_LEAVES} leaves`)
    return read
  },
  visit: visitNode,
}

/** The leaves of a condition, each with the pointer to it. */
export function leavesOf(condition: Condition, path: string): { leaf: Leaf; path: string }[] {
  const inner = groupOf(condition)
  if (!inner) return [{ leaf: condition as Leaf, path }]
  return inner.nodes.flatMap((node, index) => leavesOf(node, `${path}/${inner.group}/${index}`))
}
