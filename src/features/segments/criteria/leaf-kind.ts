import type { AccountId } from '../../../lib/account.ts'
import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import type { ContactsWithEvents } from '../../events/history/prepared-criteria.ts'
import type { Criteria } from './criteria-types.ts'
import type { Formula } from './formula.ts'
import type { Present } from './moments.ts'
import type { Given, Position } from './reading.ts'

/** The definition of a segment. */
export interface Definition {
  id: number
  type: 'static' | 'dynamic'
  parent: number | null
  criteria: Criteria | null
}

/** What criteria are evaluated by: the definitions of an account, at one instant. */
export interface CriteriaContext extends Present {
  account: AccountId
  fields: ReadonlyMap<number, FieldType>
  /** The segments asked for, and all that they refer to. */
  segments: ReadonlyMap<number, Definition>
  /** Segments that the statement evaluates once, under a name. */
  shared: ReadonlySet<number>
  /** Who has events, of those that criteria and segments ask for. */
  events: ContactsWithEvents
}

/** A leaf of criteria by its type: how it is read, and its formula. */
export interface LeafKind<Leaf> {
  /** Notes every fault; the result is then void. */
  read(given: Given, position: Position): Leaf
  formula(leaf: Leaf, context: CriteriaContext): Formula
}
