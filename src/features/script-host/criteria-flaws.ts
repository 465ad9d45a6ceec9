import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { createFlaw, type DefinitionFlaw } from '../../scripting/flaws.ts'
import { parseCriteria } from '../segments/criteria/criteria.ts'

/** Criteria in a definition, with the pointer to them. */
export interface LocatedCriteria {
  criteria: unknown
  path: string
}

/** Criteria are read as those of a segment: each of their faults is a flaw. */
export async function findCriteriaFlaws(
  db: Db,
  account: AccountId,
  placed: readonly LocatedCriteria[],
): Promise<DefinitionFlaw[]> {
  const flaws: DefinitionFlaw[] = []
  for (const { criteria, path } of placed) {
    try {
      await parseCriteria(db, account, criteria, path)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      for (const { pointer, detail } of error.errors ?? []) {
        const isUnknown = /^must be the id of/.test(detail)
        flaws.push(
          createFlaw(
            isUnknown ? 'unknown-reference' : 'type-mismatch',
            pointer,
            `The criteria are not valid: ${detail}.`,
          ),
        )
      }
    }
  }
  return flaws
}
