import type { ChannelRedListName } from '../../../channels/channel-traits.ts'
import type { BounceCode, BounceName } from '../../contacts/bounce-flags/bounce-codes.ts'
import type { EventChannel } from '../../events/kinds/event-kinds.ts'

/** Criteria as they are stored: read, checked and normalised; labels of value lists are their indexes. */
export type SegmentCriteria = SegmentCriteriaGroup | SegmentCriteriaLeaf

export type SegmentCriteriaGroup = { all: SegmentCriteria[] } | { any: SegmentCriteria[] } | { none: SegmentCriteria[] }

/** The leaves by their `type`. */
interface LeavesByType {
  field: FieldCriteriaLeaf
  segment: SegmentReferenceLeaf
  redList: RedListCriteriaLeaf
  bounce: BounceCriteriaLeaf
  event: EventCriteriaLeaf
  subscription: SubscriptionCriteriaLeaf
  creationDate: InstantCriteriaLeaf<'creationDate'>
  lastUpdateDate: InstantCriteriaLeaf<'lastUpdateDate'>
}

export type SegmentCriteriaLeafType = keyof LeavesByType
export type SegmentCriteriaLeafOf<Type extends SegmentCriteriaLeafType> = {
  [One in Type]: LeavesByType[One] & { type: One }
}[Type]
export type SegmentCriteriaLeaf = SegmentCriteriaLeafOf<SegmentCriteriaLeafType>

export const criteriaTimeUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type CriteriaTimeUnit = (typeof criteriaTimeUnits)[number]

export interface CriteriaTimeAmount {
  value: number
  unit: CriteriaTimeUnit
}

/** A point in time: an ISO date in UTC, or an offset from the present. */
export type CriteriaMoment = string | { ago: CriteriaTimeAmount } | { ahead: CriteriaTimeAmount }

/** A span of time: start inclusive, end exclusive; of a fixed one a side may be open. */
export type CriteriaTimeSpan =
  | { last: CriteriaTimeAmount }
  | { next: CriteriaTimeAmount }
  | { start?: string; end?: string }

/** Days from today. */
export interface CriteriaDayRange {
  from: number
  to: number
}

/** The operators and the form of their values are in the table of the field's type. */
export interface FieldCriteriaLeaf {
  type: 'field'
  field: number
  operator: string
  /** Absent for `empty` and `notEmpty`. */
  value?: unknown
}

export interface InstantCriteriaLeaf<Type extends 'creationDate' | 'lastUpdateDate'> {
  type: Type
  operator: string
  value?: unknown
}

export interface SegmentReferenceLeaf {
  type: 'segment'
  segment: number
  operator?: 'in' | 'notIn'
}

export interface RedListCriteriaLeaf {
  type: 'redList'
  channel?: ChannelRedListName | 'any'
}

export interface BounceCriteriaLeaf {
  type: 'bounce'
  field?: number
  is?: (BounceName | BounceCode | 'hard')[]
}

export interface EventCriteriaLeaf {
  type: 'event'
  /** A `type` of events, or a kind. */
  event: string
  channel?: EventChannel
  link?: string
  /** Texts are ids of e-mail and SMS actions, numbers those of RCS actions and notifications. */
  actions?: (string | number)[]
  period?: CriteriaTimeSpan
  count?: { operator: string; value: number | number[] }
  robots?: boolean
}

export interface SubscriptionCriteriaLeaf {
  type: 'subscription'
  application?: string
}
