import type { Period } from '../../../lib/time/period.ts'
import { type ClassFilter, LAST_INSTANT, type Selection } from '../history/filters.ts'
import { channels, isClassed, type Kind, kindsBelow } from '../kinds/event-kinds.ts'
import { allOf, ch, type Fragment, instant, int, ofAccount, text, texts, uuid } from './sql.ts'
import type { TableName } from './tables.ts'

/** The table in whose order a selection is found. */
export function tableFor({ subject, contact, stamp, thread, phone }: Partial<Selection>): TableName {
  if (stamp !== undefined) return 'events_by_stamp'
  if (thread !== undefined) return 'events_by_thread'
  if (phone !== undefined) return 'events_by_phone'
  if (contact !== undefined) return 'events_by_contact'
  return subject === undefined ? 'events_by_time' : 'events_by_subject'
}

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), LAST_INSTANT)

/** The bounds of a period on a column of instants: start inclusive, end exclusive. */
export function within(column: Fragment, { start, end }: Period): Fragment[] {
  return [
    ...(start === undefined ? [] : [ch`${column} >= ${instant(bounded(start))}`]),
    ...(end === undefined ? [] : [ch`${column} < ${instant(bounded(end))}`]),
  ]
}

/** As in PostgreSQL: kinds without classes are never filtered by theirs, on lists that hold others too. */
function ofClasses(classes: ClassFilter, kinds: readonly Kind[]): Fragment[] {
  if (classes === 'all' || !kinds.some(isClassed)) return []
  const wanted = [...classes.of].map((word) => word ?? '')
  const isOne = ch`has(${texts(wanted)}, classification)`
  const others = kinds.filter((kind) => !isClassed(kind))
  if (classes.of.has(null) || others.length === 0) return [isOne]
  return [ch`(${isOne} or kind in ${texts(others)})`]
}

const optional = <T>(value: T | undefined, make: (value: T) => Fragment): Fragment[] =>
  value === undefined ? [] : [make(value)]

/** The conditions of a selection on the tables of the store. */
export function conditions(selection: Selection): Fragment {
  const { kinds, channels: of = channels, display } = selection
  const isEvery = kindsBelow('', of).every((kind) => kinds.includes(kind))
  return allOf([
    ofAccount,
    ...(selection.channels === undefined ? [] : [ch`channel in ${texts(of)}`]),
    ...optional(selection.subject, (subject) => ch`subject = ${int(subject)}`),
    ...optional(selection.contact, (contact) => ch`contact = ${int(contact)}`),
    ...optional(selection.stamp, (stamp) => ch`stamp = ${uuid(stamp)}`),
    ...optional(selection.thread, (thread) => ch`thread = ${uuid(thread)}`),
    ...optional(selection.phone, (phone) => ch`phone = ${text(phone)}`),
    ...optional(selection.agent, (agent) => ch`agent = ${text(agent)}`),
    ...optional(
      display,
      ({ part, id }) =>
        ch`channel = 'display' and JSONExtractString(detail, 'activation', ${text(part)}) = ${text(id)}`,
    ),
    ...(isEvery ? [] : [ch`kind in ${texts(kinds)}`]),
    ...ofClasses(selection.classes, kinds),
    ...(selection.isReactivity ? [ch`activation_at is not null and is_test = 0`] : []),
    ...within(ch`at`, selection.shown),
    ...within(ch`at`, selection.period),
    ...within(ch`activation_at`, selection.activation ?? { start: undefined, end: undefined }),
  ])
}
