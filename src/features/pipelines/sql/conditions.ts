import { sql } from 'kysely'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { parseCriteria } from '../../segments/criteria/criteria.ts'
import { loadCriteriaContext } from '../../segments/criteria/definitions.ts'
import {
  type CriteriaFormula,
  buildFormulaCondition as conditionOf,
  negateFormula,
} from '../../segments/criteria/formula.ts'
import { buildCriteriaFormula } from '../../segments/criteria/leaves.ts'
import { loadMatchingContacts } from '../../segments/members/audience.ts'
import { type ConditionLeaf, findConditionGroup, type RowCondition } from '../definition/conditions.ts'
import { comparisonOperators } from '../values/operators.ts'
import type { SqlExpression } from './cells.ts'
import { buildTestSql, buildTruthSql } from './compare.ts'
import { type PipelineEnvironment, translateExpression } from './environment.ts'
import type { RowRelation } from './relation.ts'

const test = (holds: SqlExpression, negated = false): CriteriaFormula => ({ type: 'test', holds, negated })

/** Criteria on contacts that are not those of the rows themselves. */
async function criteriaFormula(
  given: unknown,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<CriteriaFormula> {
  const { db, account, present } = environment
  const { criteria } = await parseCriteria(db, account, given)
  if (relation.isOfContacts) {
    const context = await loadCriteriaContext(db, account, { criteria }, present.now)
    if (context.shared.size === 0) return buildCriteriaFormula(criteria, context)
  }
  const matching = await loadMatchingContacts(db, account, criteria, present.now)
  const contact = relation.contact?.() ?? sql`null::bigint`
  return test(sql`${contact} in (select m.contact from (${matching}) m)`)
}

async function leafFormula(
  leaf: ConditionLeaf,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<CriteriaFormula> {
  const cellOf = (one: DefinitionExpression) => translateExpression(one, { row: relation.row }, environment)
  if (leaf.type === 'criteria') return criteriaFormula(leaf.value, relation, environment)
  if (leaf.type !== 'compare') return test(buildTruthSql(cellOf(leaf)))
  const { test: asked, isNegated } = comparisonOperators[leaf.operator!]
  const right = leaf.right ? cellOf(leaf.right) : ({ kind: 'constant', value: null } as const)
  return test(buildTestSql(asked, { left: cellOf(leaf.left!), right, isExact: leaf.exact }, environment), isNegated)
}

async function formulaWithin(
  condition: RowCondition,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<CriteriaFormula> {
  const inner = findConditionGroup(condition)
  if (!inner) return leafFormula(condition as ConditionLeaf, relation, environment)
  const parts: CriteriaFormula[] = []
  for (const node of inner.nodes) parts.push(await formulaWithin(node, relation, environment))
  if (inner.group === 'all') return { type: 'and', parts }
  const any: CriteriaFormula = { type: 'or', parts }
  return inner.group === 'any' ? any : negateFormula(any)
}

/** The condition of a filter on the rows of a relation. */
export async function buildConditionSql(
  condition: RowCondition,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<SqlExpression> {
  return conditionOf(await formulaWithin(condition, relation, environment), environment.account)
}
