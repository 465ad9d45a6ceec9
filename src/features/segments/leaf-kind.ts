import type { AccountId } from '../../lib/account.ts'
import type { FieldType } from '../fields/field-schemas.ts'
import type { Criteria } from './criteria-types.ts'
import type { Formula } from './formula.ts'
import type { Present } from './moments.ts'
import type { Given, Place } from './places.ts'

/** A segment as criteria need it. */
export interface Definition {
  id: number
  type: 'static' | 'dynamic'
  parent: number | null
  criteria: Criteria | null
}

/** What criteria are evaluated on: the definitions of an account, at one instant. */
export interface Ground extends Present {
  account: AccountId
  fields: ReadonlyMap<number, FieldType>
  /** The segments asked for, and all that they refer to. */
  segments: ReadonlyMap<number, Definition>
  /** Segments whose members the statement works out once, under a name. */
  shared: ReadonlySet<number>
}

/** A leaf of criteria by its type: how it is read, and what it comes down to. */
export interface LeafKind<Leaf> {
  /** Notes every fault; what it gives then is of no use. */
  read(given: Given, place: Place): Leaf
  formula(leaf: Leaf, ground: Ground): Formula
}
