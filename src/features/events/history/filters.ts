import { type RawBuilder, sql } from 'kysely'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import type { TimePeriod } from '../../../lib/time/period.ts'
import {
  type EventChannel,
  type EventKind,
  eventChannels,
  isClassifiedKind,
  listKindsBelow,
} from '../kinds/event-kinds.ts'
import type { HitClassification } from '../record/new-event.ts'

/** What a request selects among the events of an account. Absent members select all. */
export interface EventSelection {
  account: number
  /** Kinds of the list. */
  kinds: readonly EventKind[]
  /** Absent for contacts, whose events of all channels stand in one order. */
  channels?: readonly EventChannel[]
  /** Number of the action, RCS action, notification or display campaign. */
  subject?: number
  /** Display only: where it was shown, or what. */
  display?: { part: 'placement' | 'content'; id: string }
  contact?: number
  stamp?: string
  thread?: string
  phone?: string
  agent?: string
  /** What the account shows at all: from the oldest it keeps to the moment of the request. */
  shown: TimePeriod
  /** Bounds on the event's own timestamp. */
  period: TimePeriod
  /** Reactivities only: of the activation. */
  activation?: TimePeriod
  isReactivity: boolean
  classes: HitClassFilter
}

/** Which hits and interactions are shown; null in `of` is a human. */
export type HitClassFilter = 'all' | { of: ReadonlySet<HitClassification | null> }

export const humanHitsOnly: HitClassFilter = { of: new Set([null]) }

const words = new Map<string, HitClassification | null>([
  ['genericrobot', 'genericrobot'],
  ['mpp', 'mpp'],
  ['gsr', 'gsr'],
  ['human', null],
  ['none', null],
])

/** Reads a comma list of classes, given any number of times: their union; humans when it is absent or empty. */
export function parseHitClasses(given: readonly string[]): HitClassFilter {
  const named = given
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (named.length === 0) return humanHitsOnly
  const unknown = named.find((word) => word !== 'all' && !words.has(word))
  if (unknown !== undefined) {
    throw badRequestProblem('classification', `"${unknown}" is not one of ${[...words.keys(), 'all'].join(', ')}`)
  }
  return named.includes('all') ? 'all' : { of: new Set(named.map((word) => words.get(word) ?? null)) }
}

/** The condition of a class filter: kinds without classes are never filtered by it, on lists that hold others too. */
function classCondition(classes: HitClassFilter, kinds: readonly EventKind[]): RawBuilder<unknown> | undefined {
  if (classes === 'all' || !kinds.some(isClassifiedKind)) return undefined
  const machines = [...classes.of].filter((word) => word !== null)
  if (machines.length === 0) return sql`classification is null`
  const isOne = sql`classification = any(${machines})`
  if (classes.of.has(null)) return sql`(classification is null or ${isOne})`
  const others = kinds.filter((kind) => !isClassifiedKind(kind))
  return others.length === 0 ? isOne : sql`(${isOne} or kind = any(${others}))`
}

/** No event is outside 1970 to 9999: milliseconds. */
export const LAST_EVENT_INSTANT_MS = Date.UTC(9999, 11, 31)

/** The bounds of a period on a column of instants: start inclusive, end exclusive. */
function within(column: RawBuilder<unknown>, { start, end }: TimePeriod): RawBuilder<unknown>[] {
  const instant = (ms: number) => new Date(Math.min(Math.max(ms, 0), LAST_EVENT_INSTANT_MS))
  return [
    ...(start === undefined ? [] : [sql`${column} >= ${instant(start)}`]),
    ...(end === undefined ? [] : [sql`${column} < ${instant(end)}`]),
  ]
}

function equals(column: string, value: number | string | undefined): RawBuilder<unknown>[] {
  return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`]
}

/** The expression is that of the indexes; these hold events of display alone. */
function ofDisplay(display: EventSelection['display']): RawBuilder<unknown>[] {
  if (display === undefined) return []
  return [sql`channel = 'display'`, sql`detail #>> ${sql.lit(`{activation,${display.part}}`)} = ${display.id}`]
}

/** Whether the selection leaves out no kind that its channels have: then no event is looked at for its kind. */
function holdsEveryKind({ kinds, channels: of = eventChannels }: EventSelection): boolean {
  return listKindsBelow('', of).every((kind) => kinds.includes(kind))
}

/** One kind of a phone stands in the order of time within the index: its latest is the first entry. */
function ofKinds(selection: EventSelection): RawBuilder<unknown>[] {
  const { kinds, phone } = selection
  if (holdsEveryKind(selection)) return []
  return phone !== undefined && kinds.length === 1 ? [sql`kind = ${kinds[0]}`] : [sql`kind = any(${kinds})`]
}

/** The conditions of a selection on the columns of `events`, but for its channels. */
export function buildEventConditions(selection: EventSelection): RawBuilder<unknown> {
  const byClass = classCondition(selection.classes, selection.kinds)
  return sql.join(
    [
      sql`account = ${selection.account}`,
      ...equals('subject', selection.subject),
      ...equals('contact', selection.contact),
      ...ofDisplay(selection.display),
      ...equals('stamp', selection.stamp),
      ...equals('thread', selection.thread),
      ...equals('phone', selection.phone),
      ...equals('agent', selection.agent),
      ...ofKinds(selection),
      ...(byClass ? [byClass] : []),
      ...(selection.isReactivity ? [sql`activation_at is not null`, sql`not is_test`] : []),
      ...within(sql`at`, selection.shown),
      ...within(sql`at`, selection.period),
      ...within(sql`activation_at`, selection.activation ?? { start: undefined, end: undefined }),
    ],
    sql` and `,
  )
}
