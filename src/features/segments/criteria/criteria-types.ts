import type { RedListName } from '../../../channels/facts.ts'
import type { BounceCode, BounceName } from '../../contacts/bounces/bounce-codes.ts'
import type { Channel } from '../../events/kinds/event-kinds.ts'

/** Criteria as they are stored: read, checked and normalised; labels of value lists are their indexes. */
export type Criteria = Group | Leaf

export type Group = { all: Criteria[] } | { any: Criteria[] } | { none: Criteria[] }

/** The leaves by their `type`. */
interface Leaves {
  field: FieldLeaf
  segment: SegmentLeaf
  redList: RedListLeaf
  bounce: BounceLeaf
  event: EventLeaf
  subscription: SubscriptionLeaf
  creationDate: InstantLeaf<'creationDate'>
  lastUpdateDate: InstantLeaf<'lastUpdateDate'>
}

export type LeafType = keyof Leaves
export type LeafOf<Type extends LeafType> = { [One in Type]: Leaves[One] & { type: One } }[Type]
export type Leaf = LeafOf<LeafType>

export const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type Unit = (typeof units)[number]

export interface Amount {
  value: number
  unit: Unit
}

/** A point in time: an ISO date in UTC, or an offset from the present. */
export type Moment = string | { ago: Amount } | { ahead: Amount }

/** A span of time: start inclusive, end exclusive; of a fixed one a side may be open. */
export type Span = { last: Amount } | { next: Amount } | { start?: string; end?: string }

/** Days from today. */
export interface DayRange {
  from: number
  to: number
}

/** The operators and the form of their values are in the table of the field's type. */
export interface FieldLeaf {
  type: 'field'
  field: number
  operator: string
  /** Absent for `empty` and `notEmpty`. */
  value?: unknown
}

export interface InstantLeaf<Type extends 'creationDate' | 'lastUpdateDate'> {
  type: Type
  operator: string
  value?: unknown
}

export interface SegmentLeaf {
  type: 'segment'
  segment: number
  operator?: 'in' | 'notIn'
}

export interface RedListLeaf {
  type: 'redList'
  channel?: RedListName | 'any'
}

export interface BounceLeaf {
  type: 'bounce'
  field?: number
  is?: (BounceName | BounceCode | 'hard')[]
}

export interface EventLeaf {
  type: 'event'
  /** A `type` of events, or a kind. */
  event: string
  channel?: Channel
  link?: string
  /** Texts are ids of e-mail and SMS actions, numbers those of RCS actions and notifications. */
  actions?: (string | number)[]
  period?: Span
  count?: { operator: string; value: number | number[] }
  robots?: boolean
}

export interface SubscriptionLeaf {
  type: 'subscription'
  application?: string
}
