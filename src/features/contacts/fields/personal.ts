import { isAddressFieldType } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { PersonalFields } from '../../../lib/text/masking.ts'
import { loadContactDefinitions } from './stored-definitions.ts'

/** The contact data of an account that is masked for people who may not see it. */
export async function readPersonalFields(db: Db, account: AccountId): Promise<PersonalFields> {
  const { fields } = await loadContactDefinitions(db, account)
  const addressFields = fields.filter(({ type }) => isAddressFieldType(type))
  return {
    fields: new Set(addressFields.flatMap(({ id, name }) => [String(id), name])),
    unicity: addressFields.some(({ isUnicity }) => isUnicity),
  }
}
