import { isConditionTrue as isTrue } from '../../../scripting/expressions/evaluate.ts'
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

/** Which of some rows fit. */
export type RowFilter = (rows: readonly PipelineRow[]) => Promise<readonly boolean[]>

/** Which of the contacts that rows are of fit criteria. */
export type ContactCriteriaFilter = (criteria: unknown, ids: readonly string[]) => Promise<ReadonlySet<string>>

/** What conditions are tested with. */
export interface FilterScope extends MemoryScope {
  reading: OperandContext
  criteria: ContactCriteriaFilter
}

const isConstant = ({ type, value }: DefinitionExpression): boolean =>
  type === 'literal' || (type === 'path' && /^\s*(arguments|now)\b/.test(value))

function leafFits(leaf: ConditionLeaf, scope: FilterScope): RowFilter {
  if (leaf.type === 'criteria')
    return async (rows) => {
      const ids = rows.map(({ id }) => (typeof id === 'string' ? id : ''))
      const fitting = await scope.criteria(leaf.value, ids)
      return ids.map((id) => fitting.has(id))
    }
  if (leaf.type !== 'compare') {
    const evaluate = compileRowExpression(leaf, scope)
    return async (rows) => (await evaluate(rows)).map(isTrue)
  }
  const { test, isNegated } = comparisonOperators[leaf.operator!]
  const [left, right] = [compileRowExpression(leaf.left!, scope), leaf.right && compileRowExpression(leaf.right, scope)]
  const isFixed = !leaf.right || isConstant(leaf.right)
  return async (rows) => {
    const lefts = await left(rows)
    const rights = right ? await right(rows) : rows.map(() => null)
    const fixed = isFixed ? toConstantOperand(test, rights[0] ?? null, scope.reading) : undefined
    return lefts.map((one, nth) => {
      const operand = fixed ?? toRowOperand(test, rights[nth] ?? null)
      return isTestPassed(test, one ?? null, operand, leaf.exact) !== isNegated
    })
  }
}

/** Compiles a condition. */
export function compileRowCondition(condition: RowCondition, scope: FilterScope): RowFilter {
  const inner = findConditionGroup(condition)
  if (!inner) return leafFits(condition as ConditionLeaf, scope)
  const parts = inner.nodes.map((node) => compileRowCondition(node, scope))
  return async (rows) => {
    const found: (readonly boolean[])[] = []
    for (const part of parts) found.push(await part(rows))
    return rows.map((_, nth) => {
      if (inner.group === 'all') return found.every((one) => one[nth])
      return found.some((one) => one[nth]) === (inner.group === 'any')
    })
  }
}
