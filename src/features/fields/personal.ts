import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Personal } from '../../lib/masking.ts'
import { loadFields } from './definitions.ts'
import type { FieldType } from './field-schemas.ts'

/** Types of fields whose values say how a person is reached. */
const personalTypes: readonly FieldType[] = ['email', 'phone']

/** What is masked of an account's contacts for people who may not see it. */
export async function personalFields(db: Db, account: AccountId): Promise<Personal> {
  const { fields } = await loadFields(db, account)
  const personal = fields.filter(({ type }) => personalTypes.includes(type))
  return {
    fields: new Set(personal.flatMap(({ id, name }) => [String(id), name])),
    unicity: personal.some(({ isUnicity }) => isUnicity),
  }
}
