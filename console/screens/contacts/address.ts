import type { CriteriaGroup } from '../../components/criteria/model.ts'

/** Search, sort and columns of the contact list in the address. */
export interface ContactsSearch {
  /** An address, number or id, or a part of one. */
  q?: string
  segment?: number
  /** Criteria that contacts must meet. */
  filter?: CriteriaGroup
  /** `creationDate`, `-101`: a date or a field, descending with a dash. */
  sort?: string
  /** Keys of the columns that are shown, by commas; those kept in the browser when absent. */
  columns?: string
  /** `all`, `all-…` without some, or ids: which contacts are chosen. */
  selected?: string
}
