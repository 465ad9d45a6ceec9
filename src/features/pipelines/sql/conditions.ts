import { sql } from 'kysely'
import type { Expression } from '../../../scripting/expressions/expression-types.ts'
import { readCriteria } from '../../segments/criteria/criteria.ts'
import { loadCriteriaContext } from '../../segments/criteria/definitions.ts'
import { condition as conditionOf, type Formula, negate } from '../../segments/criteria/formula.ts'
import { formulaOf } from '../../segments/criteria/leaves.ts'
import { loadMatching } from '../../segments/members/audience.ts'
import { type Condition, groupOf, type Leaf } from '../definition/conditions.ts'
import { operators } from '../values/operators.ts'
import type { Sql } from './cells.ts'
import { isTrue, testSql } from './compare.ts'
import { type Environment, expressionCell } from './environment.ts'
import type { Relation } from './relation.ts'

const test = (holds: Sql, negated = false): Formula => ({ type: 'test', holds, negated })

/** Criteria on contacts that are not those of the rows themselves. */
async function criteriaFormula(given: unknown, relation: Relation, environment: Environment): Promise<Formula> {
  const { db, account, present } = environment
  const { criteria } = await readCriteria(db, account, given)
  if (relation.isOfContacts) {
    const context = await loadCriteriaContext(db, account, { criteria }, present.now)
    if (context.shared.size === 0) return formulaOf(criteria, context)
  }
  const matching = await loadMatching(db, account, criteria, present.now)
  const contact = relation.contact?.() ?? sql`null::bigint`
  return test(sql`${contact} in (select m.contact from (${matching}) m)`)
}

async function leafFormula(leaf: Leaf, relation: Relation, environment: Environment): Promise<Formula> {
  const cellOf = (one: Expression) => expressionCell(one, { row: relation.row }, environment)
  if (leaf.type === 'criteria') return criteriaFormula(leaf.value, relation, environment)
  if (leaf.type !== 'compare') return test(isTrue(cellOf(leaf)))
  const { test: asked, isNegated } = operators[leaf.operator!]
  const right = leaf.right ? cellOf(leaf.right) : ({ kind: 'constant', value: null } as const)
  return test(testSql(asked, { left: cellOf(leaf.left!), right, isExact: leaf.exact }, environment), isNegated)
}

async function formulaWithin(condition: Condition, relation: Relation, environment: Environment): Promise<Formula> {
  const inner = groupOf(condition)
  if (!inner) return leafFormula(condition as Leaf, relation, environment)
  const parts: Formula[] = []
  for (const node of inner.nodes) parts.push(await formulaWithin(node, relation, environment))
  if (inner.group === 'all') return { type: 'and', parts }
  const any: Formula = { type: 'or', parts }
  return inner.group === 'any' ? any : negate(any)
}

/** The condition of a filter on the rows of a relation. */
export async function conditionSql(condition: Condition, relation: Relation, environment: Environment): Promise<Sql> {
  return conditionOf(await formulaWithin(condition, relation, environment), environment.account)
}
