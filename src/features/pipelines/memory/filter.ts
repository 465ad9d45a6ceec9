import { isConditionTrue } from '../../../scripting/expressions/evaluate.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { type ConditionLeaf, findConditionGroup, type RowCondition } from '../definition/conditions.ts'
import {
  comparisonOperators,
  isTestPassed,
  type OperandContext,
  toConstantOperand,
  toRowOperand,
} from '../values/operators.ts'
import type { PipelineRow } from '../values/values.ts'
import { compileRowExpression, type MemoryScope } from './scope.ts'

/** Tests rows: returns one flag for each row. */
export type RowFilter = (rows: readonly PipelineRow[]) => Promise<readonly boolean[]>

/** Tests contacts by criteria: returns the matching ids. */
export type ContactCriteriaFilter = (criteria: unknown, ids: readonly string[]) => Promise<ReadonlySet<string>>

/** Context for testing conditions. */
export interface FilterScope extends MemoryScope {
  reading: OperandContext
  criteria: ContactCriteriaFilter
}

const isConstant = ({ type, value }: DefinitionExpression): boolean =>
  type === 'literal' || (type === 'path' && /^\s*(arguments|now)\b/.test(value))

function compileLeaf(leaf: ConditionLeaf, scope: FilterScope): RowFilter {
  if (leaf.type === 'criteria')
    return async (rows) => {
      const ids = rows.map(({ id }) => (typeof id === 'string' ? id : ''))
      const matchingIds = await scope.criteria(leaf.value, ids)
      return ids.map((id) => matchingIds.has(id))
    }
  if (leaf.type !== 'compare') {
    const evaluate = compileRowExpression(leaf, scope)
    return async (rows) => (await evaluate(rows)).map(isConditionTrue)
  }
  const { test, isNegated } = comparisonOperators[leaf.operator!]
  const [evaluateLeft, evaluateRight] = [
    compileRowExpression(leaf.left!, scope),
    leaf.right && compileRowExpression(leaf.right, scope),
  ]
  const isFixed = !leaf.right || isConstant(leaf.right)
  return async (rows) => {
    const leftValues = await evaluateLeft(rows)
    const rightValues = evaluateRight ? await evaluateRight(rows) : rows.map(() => null)
    const constantOperand = isFixed ? toConstantOperand(test, rightValues[0] ?? null, scope.reading) : undefined
    return leftValues.map((leftValue, nth) => {
      const operand = constantOperand ?? toRowOperand(test, rightValues[nth] ?? null)
      return isTestPassed(test, leftValue ?? null, operand, leaf.exact) !== isNegated
    })
  }
}

/** Compiles a condition. */
export function compileRowCondition(condition: RowCondition, scope: FilterScope): RowFilter {
  const innerGroup = findConditionGroup(condition)
  if (!innerGroup) return compileLeaf(condition as ConditionLeaf, scope)
  const parts = innerGroup.nodes.map((node) => compileRowCondition(node, scope))
  return async (rows) => {
    const partResults: (readonly boolean[])[] = []
    for (const part of parts) partResults.push(await part(rows))
    return rows.map((_, nth) => {
      if (innerGroup.group === 'all') return partResults.every((partFlags) => partFlags[nth])
      return partResults.some((partFlags) => partFlags[nth]) === (innerGroup.group === 'any')
    })
  }
}
