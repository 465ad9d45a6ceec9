import type { ChannelRedListName } from '../../../channels/channel-traits.ts'
import type { BounceName } from '../../contacts/bounce-flags/bounce-codes.ts'
import type { EventChannel, EventKind, EventType } from '../../events/kinds/event-kinds.ts'
import type {
  CriteriaDayRange,
  CriteriaTimeAmount,
  CriteriaTimeSpan,
  SegmentCriteriaLeafType,
} from '../criteria/criteria-types.ts'

/** A range of a count: `most` absent: no limit; `outside`: any other number. */
export interface NamedCountRange {
  least: number
  most?: number
  outside?: boolean
}

/** Events that have words of their own: every event, a type, or one of the kinds of a type. */
export type NamedEvents = 'any' | EventType | Extract<EventKind, `${string}/${string}`>

/** A bounce flag, or the hard ones together. */
export type NamedBounceFlag = BounceName | 'hard'

/** An event leaf with the names of what it names. */
export interface NamedEventLeaf {
  kind: NamedEvents
  channel: EventChannel | undefined
  actions: readonly string[] | undefined
  period: CriteriaTimeSpan | undefined
  count: NamedCountRange
  robots: boolean
}

/** The compared value: a field by its name, or a date of the contact itself. */
export type NamedComparand =
  | { field: string; isList: boolean }
  | { own: Extract<SegmentCriteriaLeafType, 'creationDate' | 'lastUpdateDate'> }

/** One condition in words, as a relative clause that follows "contacts". */
export interface CriteriaLanguage {
  locale: string
  contacts: string
  every: string
  nobody: string
  /** A whole sentence of a clause; `parent`: name of the segment whose members alone are selected. */
  sentence(clause: string, parent: string | undefined): string
  quoted(name: string): string
  and: string
  or: string
  /** The contacts outside of those of a clause. */
  not(clause: string): string
  /** Values in a row, of which `hiddenCount` further ones are not shown. */
  list(values: readonly string[], hiddenCount: number): string
  /** `operator`: of fields; `value` in words. */
  comparison(compared: NamedComparand, operator: string, value: string): string
  anniversary(compared: NamedComparand, range: CriteriaDayRange): string
  range(from: string, to: string): string
  ago(amount: CriteriaTimeAmount): string
  ahead(amount: CriteriaTimeAmount): string
  last(amount: CriteriaTimeAmount): string
  next(amount: CriteriaTimeAmount): string
  since(date: string): string
  until(date: string): string
  fromTo(start: string, end: string): string
  segment(name: string, isIn: boolean): string
  redList(channel: ChannelRedListName | 'any'): string
  /** `field`: its name; `flags`: what is asked for; undefined: every flag that stops sends. */
  bounce(field: string | undefined, flags: readonly NamedBounceFlag[] | undefined): string
  events(events: NamedEventLeaf, period: string): string
  device(application: string | undefined): string
}
