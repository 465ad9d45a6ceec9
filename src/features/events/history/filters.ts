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

/** Selection of a request among the events of an account. Absent members select all. */
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
  /** Bounds of everything the account shows: from its oldest retained event to the time of the request. */
  shown: TimePeriod
  /** Bounds on the event's own timestamp. */
  period: TimePeriod
  /** Reactivities only: of the activation. */
  activation?: TimePeriod
  isReactivity: boolean
  classes: HitClassFilter
}

/** Classes of hits and interactions to show; null in `of` is a human. */
export type HitClassFilter = 'all' | { of: ReadonlySet<HitClassification | null> }

export const humanHitsOnly: HitClassFilter = { of: new Set([null]) }

const classByWord = new Map<string, HitClassification | null>([
  ['genericrobot', 'genericrobot'],
  ['mpp', 'mpp'],
  ['gsr', 'gsr'],
  ['human', null],
  ['none', null],
])

/** Reads a comma list of classes, given any number of times: their union; humans when it is absent or empty. */
export function parseHitClasses(classTexts: readonly string[]): HitClassFilter {
  const classWords = classTexts
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (classWords.length === 0) return humanHitsOnly
  const unknownWord = classWords.find((word) => word !== 'all' && !classByWord.has(word))
  if (unknownWord !== undefined) {
    throw badRequestProblem(
      'classification',
      `"${unknownWord}" is not one of ${[...classByWord.keys(), 'all'].join(', ')}`,
    )
  }
  return classWords.includes('all') ? 'all' : { of: new Set(classWords.map((word) => classByWord.get(word) ?? null)) }
}

/** The condition of a class filter: kinds without classes are never filtered by it, on lists that hold others too. */
function buildClassCondition(classes: HitClassFilter, kinds: readonly EventKind[]): RawBuilder<unknown> | undefined {
  if (classes === 'all' || !kinds.some(isClassifiedKind)) return undefined
  const machineClasses = [...classes.of].filter((word) => word !== null)
  if (machineClasses.length === 0) return sql`classification is null`
  const isListedClass = sql`classification = any(${machineClasses})`
  if (classes.of.has(null)) return sql`(classification is null or ${isListedClass})`
  const unclassifiedKinds = kinds.filter((kind) => !isClassifiedKind(kind))
  return unclassifiedKinds.length === 0 ? isListedClass : sql`(${isListedClass} or kind = any(${unclassifiedKinds}))`
}

/** No event is outside 1970 to 9999: milliseconds. */
export const LAST_EVENT_INSTANT_MS = Date.UTC(9999, 11, 31)

/** The bounds of a period on a column of instants: start inclusive, end exclusive. */
function buildPeriodConditions(column: RawBuilder<unknown>, { start, end }: TimePeriod): RawBuilder<unknown>[] {
  const toClampedDate = (ms: number) => new Date(Math.min(Math.max(ms, 0), LAST_EVENT_INSTANT_MS))
  return [
    ...(start === undefined ? [] : [sql`${column} >= ${toClampedDate(start)}`]),
    ...(end === undefined ? [] : [sql`${column} < ${toClampedDate(end)}`]),
  ]
}

function buildEquality(column: string, value: number | string | undefined): RawBuilder<unknown>[] {
  return value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`]
}

/** The expression is that of the indexes; these hold events of display alone. */
function buildDisplayConditions(display: EventSelection['display']): RawBuilder<unknown>[] {
  if (display === undefined) return []
  return [sql`channel = 'display'`, sql`detail #>> ${sql.lit(`{activation,${display.part}}`)} = ${display.id}`]
}

/** Returns true if the selection excludes no kind of its channels: then events are not filtered by kind. */
function holdsEveryKind({ kinds, channels: of = eventChannels }: EventSelection): boolean {
  return listKindsBelow('', of).every((kind) => kinds.includes(kind))
}

/** One kind of a phone stands in the order of time within the index: its latest is the first entry. */
function buildKindConditions(selection: EventSelection): RawBuilder<unknown>[] {
  const { kinds, phone } = selection
  if (holdsEveryKind(selection)) return []
  return phone !== undefined && kinds.length === 1 ? [sql`kind = ${kinds[0]}`] : [sql`kind = any(${kinds})`]
}

/** The conditions of a selection on the columns of `events`, but for its channels. */
export function buildEventConditions(selection: EventSelection): RawBuilder<unknown> {
  const classFilter = buildClassCondition(selection.classes, selection.kinds)
  return sql.join(
    [
      sql`account = ${selection.account}`,
      ...buildEquality('subject', selection.subject),
      ...buildEquality('contact', selection.contact),
      ...buildDisplayConditions(selection.display),
      ...buildEquality('stamp', selection.stamp),
      ...buildEquality('thread', selection.thread),
      ...buildEquality('phone', selection.phone),
      ...buildEquality('agent', selection.agent),
      ...buildKindConditions(selection),
      ...(classFilter ? [classFilter] : []),
      ...(selection.isReactivity ? [sql`activation_at is not null`, sql`not is_test`] : []),
      ...buildPeriodConditions(sql`at`, selection.shown),
      ...buildPeriodConditions(sql`at`, selection.period),
      ...buildPeriodConditions(sql`activation_at`, selection.activation ?? { start: undefined, end: undefined }),
    ],
    sql` and `,
  )
}
