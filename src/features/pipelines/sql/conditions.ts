import { sql } from 'kysely'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { parseCriteria } from '../../segments/criteria/criteria.ts'
import { loadCriteriaContext } from '../../segments/criteria/definitions.ts'
import { buildFormulaCondition, type CriteriaFormula, negateFormula } from '../../segments/criteria/formula.ts'
import { buildCriteriaFormula } from '../../segments/criteria/leaves.ts'
import { loadMatchingContacts } from '../../segments/members/segment-audience.ts'
import { type ConditionLeaf, findConditionGroup, type RowCondition } from '../definition/conditions.ts'
import { comparisonOperators } from '../values/operators.ts'
import type { SqlExpression } from './cells.ts'
import { buildTestSql, buildTruthSql } from './compare.ts'
import { type PipelineEnvironment, translateExpression } from './environment.ts'
import type { RowRelation } from './relation.ts'

const createTestFormula = (holds: SqlExpression, negated = false): CriteriaFormula => ({ type: 'test', holds, negated })

/** Criteria on contacts that are not those of the rows themselves. */
async function buildContactFormula(
  rawCriteria: unknown,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<CriteriaFormula> {
  const { db, account, present } = environment
  const { criteria } = await parseCriteria(db, account, rawCriteria)
  if (relation.isOfContacts) {
    const criteriaContext = await loadCriteriaContext(db, account, { criteria }, present.now)
    if (criteriaContext.shared.size === 0) return buildCriteriaFormula(criteria, criteriaContext)
  }
  const matchingContacts = await loadMatchingContacts(db, account, criteria, present.now)
  const contact = relation.contact?.() ?? sql`null::bigint`
  return createTestFormula(sql`${contact} in (select m.contact from (${matchingContacts}) m)`)
}

async function buildLeafFormula(
  leaf: ConditionLeaf,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<CriteriaFormula> {
  const translateCell = (expression: DefinitionExpression) =>
    translateExpression(expression, { row: relation.row }, environment)
  if (leaf.type === 'criteria') return buildContactFormula(leaf.value, relation, environment)
  if (leaf.type !== 'compare') return createTestFormula(buildTruthSql(translateCell(leaf)))
  const { test: comparisonTest, isNegated } = comparisonOperators[leaf.operator!]
  const right = leaf.right ? translateCell(leaf.right) : ({ kind: 'constant', value: null } as const)
  return createTestFormula(
    buildTestSql(comparisonTest, { left: translateCell(leaf.left!), right, isExact: leaf.exact }, environment),
    isNegated,
  )
}

async function buildFormula(
  condition: RowCondition,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<CriteriaFormula> {
  const innerGroup = findConditionGroup(condition)
  if (!innerGroup) return buildLeafFormula(condition as ConditionLeaf, relation, environment)
  const parts: CriteriaFormula[] = []
  for (const node of innerGroup.nodes) parts.push(await buildFormula(node, relation, environment))
  if (innerGroup.group === 'all') return { type: 'and', parts }
  const disjunction: CriteriaFormula = { type: 'or', parts }
  return innerGroup.group === 'any' ? disjunction : negateFormula(disjunction)
}

/** The condition of a filter on the rows of a relation. */
export async function buildConditionSql(
  condition: RowCondition,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<SqlExpression> {
  return buildFormulaCondition(await buildFormula(condition, relation, environment), environment.account)
}
