import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { type Flaw, flaw } from '../../scripting/flaws.ts'
import { readCriteria } from '../segments/criteria/criteria.ts'

/** Criteria in a definition, with the pointer to them. */
export interface PlacedCriteria {
  criteria: unknown
  path: string
}

/** Criteria are read as those of a segment: each of their faults is a flaw. */
export async function criteriaFlaws(db: Db, account: AccountId, placed: readonly PlacedCriteria[]): Promise<Flaw[]> {
  const flaws: Flaw[] = []
  for (const { criteria, path } of placed) {
    try {
      await readCriteria(db, account, criteria, path)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      for (const { pointer, detail } of error.errors ?? []) {
        const isUnknown = /^must be the id of/.test(detail)
        flaws.push(flaw(isUnknown ? 'unknown-reference' : 'type-mismatch', pointer, `The criteria: ${detail}.`))
      }
    }
  }
  return flaws
}
