import { sql } from 'kysely'
import type { AccountId } from '../../../lib/account.ts'
import type { CriterionSql } from './criterion-columns.ts'

/**
 * Criteria as a formula: conditions on a row of `contacts c`, and sets, which are selects of one column "contact". A
 * negated one holds for all others, those with nothing to compare included.
 */
export type CriteriaFormula =
  | { type: 'and' | 'or'; parts: CriteriaFormula[] }
  | { type: 'test'; holds: CriterionSql; negated: boolean }
  | { type: 'set'; contacts: CriterionSql; negated: boolean }

/** Holds for no contact. */
export const noContactFormula: CriteriaFormula = { type: 'or', parts: [] }

/** The opposite, by De Morgan's laws: only tests and sets are ever negated. */
export function negateFormula(formula: CriteriaFormula): CriteriaFormula {
  if (formula.type === 'test' || formula.type === 'set') return { ...formula, negated: !formula.negated }
  return { type: formula.type === 'and' ? 'or' : 'and', parts: formula.parts.map(negateFormula) }
}

/** True if few contacts can be expected to match, so that enumerating them is faster than testing every contact. */
function isNarrow(formula: CriteriaFormula): boolean {
  switch (formula.type) {
    case 'and':
      return formula.parts.some(isNarrow)
    case 'or':
      return formula.parts.every(isNarrow)
    default:
      return !formula.negated
  }
}

function containsSet(formula: CriteriaFormula): boolean {
  return formula.type === 'and' || formula.type === 'or' ? formula.parts.some(containsSet) : formula.type === 'set'
}

/** A select of the ids of contacts that fit, as "contact"; of sets also of deleted ones. */
function selectMatchingIds(formula: CriteriaFormula, account: AccountId): CriterionSql {
  if (formula.type === 'set' && !formula.negated) return formula.contacts
  return sql`select c.id as contact from contacts c where c.account = ${account} and ${buildFormulaCondition(formula, account)}`
}

function buildMembership(contacts: CriterionSql): CriterionSql {
  return sql`exists (select from (${contacts}) s where s.contact = c.id)`
}

/**
 * The condition on `contacts c` that a formula makes. Alternatives of which some are in other tables become a union: an
 * index answers each one, where an "or" over several tables would test every contact.
 */
export function buildFormulaCondition(formula: CriteriaFormula, account: AccountId): CriterionSql {
  switch (formula.type) {
    case 'test':
      return formula.negated ? sql`(${formula.holds}) is not true` : formula.holds
    case 'set':
      return formula.negated ? sql`not ${buildMembership(formula.contacts)}` : buildMembership(formula.contacts)
    case 'and':
      return joinFormulas(formula.parts, account, sql` and `, sql`true`)
    case 'or': {
      const { parts } = formula
      if (parts.length < 2 || !containsSet(formula) || !isNarrow(formula)) {
        return joinFormulas(parts, account, sql` or `, sql`false`)
      }
      return buildMembership(
        sql.join(
          parts.map((part) => selectMatchingIds(part, account)),
          sql` union all `,
        ),
      )
    }
  }
}

function joinFormulas(
  parts: readonly CriteriaFormula[],
  account: AccountId,
  word: CriterionSql,
  empty: CriterionSql,
): CriterionSql {
  if (parts.length === 0) return empty
  return sql`(${sql.join(
    parts.map((part) => buildFormulaCondition(part, account)),
    word,
  )})`
}
