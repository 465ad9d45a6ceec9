import type { AccountId } from '../../../lib/account.ts'
import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import type { ContactsWithEventsQuery } from '../../events/history/prepared-criteria.ts'
import type { SegmentCriteria } from './criteria-types.ts'
import type { CriteriaFormula } from './formula.ts'
import type { CriteriaPresent } from './moments.ts'
import type { CriteriaInputObject, CriteriaPosition } from './reading.ts'

/** The definition of a segment. */
export interface SegmentDefinition {
  id: number
  type: 'static' | 'dynamic'
  parent: number | null
  criteria: SegmentCriteria | null
}

/** Context of evaluating criteria: the definitions of an account, at one instant. */
export interface CriteriaContext extends CriteriaPresent {
  account: AccountId
  fields: ReadonlyMap<number, FieldType>
  /** The segments asked for, and all that they refer to. */
  segments: ReadonlyMap<number, SegmentDefinition>
  /** Segments that the statement evaluates once, under a name. */
  shared: ReadonlySet<number>
  /** Query of the contacts that have the events which criteria and segments refer to. */
  events: ContactsWithEventsQuery
}

/** A leaf of criteria by its type: how it is read, and its formula. */
export interface CriteriaLeafKind<Leaf> {
  /** Notes every fault; the result is then void. */
  read(leafInput: CriteriaInputObject, position: CriteriaPosition): Leaf
  formula(leaf: Leaf, context: CriteriaContext): CriteriaFormula
}
