import type { AccountId } from '../../../lib/account.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { CriteriaSelection } from '../members/segment-audience.ts'
import type { ContactSorting } from './sorting.ts'

/** A list of contacts: who is in it, and in which order. */
export interface ContactList {
  account: AccountId
  shape: ContactShape
  selected: CriteriaSelection
  /** Neither criteria nor a text leave out anybody. */
  isWhole: boolean
  sorting: ContactSorting
}
