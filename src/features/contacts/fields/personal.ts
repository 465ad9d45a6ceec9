import { isAddressType } from '../../../channels/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Personal } from '../../../lib/text/masking.ts'
import { loadFields } from './stored-definitions.ts'

/** What is masked of an account's contacts for people who may not see it. */
export async function personalFields(db: Db, account: AccountId): Promise<Personal> {
  const { fields } = await loadFields(db, account)
  const personal = fields.filter(({ type }) => isAddressType(type))
  return {
    fields: new Set(personal.flatMap(({ id, name }) => [String(id), name])),
    unicity: personal.some(({ isUnicity }) => isUnicity),
  }
}
