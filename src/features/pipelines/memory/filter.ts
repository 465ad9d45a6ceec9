import { holds as isTrue } from '../../../scripting/expressions/evaluate.ts'
import type { Expression } from '../../../scripting/expressions/expression-types.ts'
import { type Condition, groupOf, type Leaf } from '../definition/conditions.ts'
import { holds, operandOf, operandOfRow, operators, type Reading } from '../values/operators.ts'
import type { Row } from '../values/values.ts'
import { evaluator, type MemoryScope } from './scope.ts'

/** Which of some rows fit. */
export type Fits = (rows: readonly Row[]) => Promise<readonly boolean[]>

/** Which of the contacts that rows are of fit criteria. */
export type CriteriaFit = (criteria: unknown, ids: readonly string[]) => Promise<ReadonlySet<string>>

/** What conditions are tested with. */
export interface FilterScope extends MemoryScope {
  reading: Reading
  criteria: CriteriaFit
}

const isConstant = ({ type, value }: Expression): boolean =>
  type === 'literal' || (type === 'path' && /^\s*(arguments|now)\b/.test(value))

function leafFits(leaf: Leaf, scope: FilterScope): Fits {
  if (leaf.type === 'criteria')
    return async (rows) => {
      const ids = rows.map(({ id }) => (typeof id === 'string' ? id : ''))
      const fitting = await scope.criteria(leaf.value, ids)
      return ids.map((id) => fitting.has(id))
    }
  if (leaf.type !== 'compare') {
    const evaluate = evaluator(leaf, scope)
    return async (rows) => (await evaluate(rows)).map(isTrue)
  }
  const { test, isNegated } = operators[leaf.operator!]
  const [left, right] = [evaluator(leaf.left!, scope), leaf.right && evaluator(leaf.right, scope)]
  const isFixed = !leaf.right || isConstant(leaf.right)
  return async (rows) => {
    const lefts = await left(rows)
    const rights = right ? await right(rows) : rows.map(() => null)
    const fixed = isFixed ? operandOf(test, rights[0] ?? null, scope.reading) : undefined
    return lefts.map((one, nth) => {
      const operand = fixed ?? operandOfRow(test, rights[nth] ?? null)
      return holds(test, one ?? null, operand, leaf.exact) !== isNegated
    })
  }
}

/** Compiles a condition. */
export function conditionFits(condition: Condition, scope: FilterScope): Fits {
  const inner = groupOf(condition)
  if (!inner) return leafFits(condition as Leaf, scope)
  const parts = inner.nodes.map((node) => conditionFits(node, scope))
  return async (rows) => {
    const found: (readonly boolean[])[] = []
    for (const part of parts) found.push(await part(rows))
    return rows.map((_, nth) => {
      if (inner.group === 'all') return found.every((one) => one[nth])
      return found.some((one) => one[nth]) === (inner.group === 'any')
    })
  }
}
