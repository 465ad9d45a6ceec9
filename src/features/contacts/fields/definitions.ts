import type { AccountId } from '../../../lib/account.ts'
import type { NoticeType } from '../../notices/notices.ts'
import type { ContactSettings } from './contact-settings-schemas.ts'
import type { ContactFieldDefinition } from './field-schemas.ts'
import type { ValueList } from './value-list-schemas.ts'

/** The definitions of an account's contacts at one instant. */
export interface ContactDefinitions {
  account: AccountId
  /** Every field, ascending id. */
  fields: ContactFieldDefinition[]
  /** The value lists that fields use, by id; values in the list's order. */
  lists: ReadonlyMap<number, ValueList>
  settings: ContactSettings
  /** The types of notices that have a listener: others need none. */
  listening: ReadonlySet<NoticeType>
  /** True if subscriptions await the hashes of contacts that do not exist yet. */
  awaitsDevices: boolean
  /** True if keys of addresses are folded as before decision 127. */
  foldsKeys: boolean
  /** Changes with any of these. */
  version: number
}

/** The fields whose joined values are the unicity, ascending id. */
export function findUnicityFields({ fields }: Pick<ContactDefinitions, 'fields'>): ContactFieldDefinition[] {
  return fields.filter((field) => field.isUnicity)
}
