import type { AccountId } from '../../../lib/account.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { Selected } from '../members/audience.ts'
import type { Sorting } from './sorting.ts'

/** A list of contacts: who is in it, and in which order. */
export interface ContactList {
  account: AccountId
  shape: ContactShape
  selected: Selected
  /** Neither criteria nor a text leave out anybody. */
  isWhole: boolean
  sorting: Sorting
}
