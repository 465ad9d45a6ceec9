import type { TimePeriod } from '../../../lib/time/period.ts'
import { type EventSelection, type HitClassFilter, LAST_EVENT_INSTANT_MS } from '../history/filters.ts'
import { type EventKind, eventChannels, isClassifiedKind, listKindsBelow } from '../kinds/event-kinds.ts'
import {
  accountCondition,
  type ClickHouseFragment,
  clickHouseSql,
  instantParam,
  int64Param,
  joinClickHouseConditions,
  stringArrayParam,
  stringParam,
  uuidParam,
} from './sql.ts'
import type { EventStoreTableName } from './tables.ts'

/** The table in whose order a selection is found. */
export function chooseEventTable({
  subject,
  contact,
  stamp,
  thread,
  phone,
}: Partial<EventSelection>): EventStoreTableName {
  if (stamp !== undefined) return 'events_by_stamp'
  if (thread !== undefined) return 'events_by_thread'
  if (phone !== undefined) return 'events_by_phone'
  if (contact !== undefined) return 'events_by_contact'
  return subject === undefined ? 'events_by_time' : 'events_by_subject'
}

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), LAST_EVENT_INSTANT_MS)

/** The bounds of a period on a column of instants: start inclusive, end exclusive. */
export function buildPeriodCondition(column: ClickHouseFragment, { start, end }: TimePeriod): ClickHouseFragment[] {
  return [
    ...(start === undefined ? [] : [clickHouseSql`${column} >= ${instantParam(bounded(start))}`]),
    ...(end === undefined ? [] : [clickHouseSql`${column} < ${instantParam(bounded(end))}`]),
  ]
}

/** As in PostgreSQL: kinds without classes are never filtered by theirs, on lists that hold others too. */
function ofClasses(classes: HitClassFilter, kinds: readonly EventKind[]): ClickHouseFragment[] {
  if (classes === 'all' || !kinds.some(isClassifiedKind)) return []
  const wanted = [...classes.of].map((word) => word ?? '')
  const isOne = clickHouseSql`has(${stringArrayParam(wanted)}, classification)`
  const others = kinds.filter((kind) => !isClassifiedKind(kind))
  if (classes.of.has(null) || others.length === 0) return [isOne]
  return [clickHouseSql`(${isOne} or kind in ${stringArrayParam(others)})`]
}

const optional = <T>(value: T | undefined, make: (value: T) => ClickHouseFragment): ClickHouseFragment[] =>
  value === undefined ? [] : [make(value)]

/** The conditions of a selection on the tables of the store. */
export function buildStoreConditions(selection: EventSelection): ClickHouseFragment {
  const { kinds, channels: of = eventChannels, display } = selection
  const isEvery = listKindsBelow('', of).every((kind) => kinds.includes(kind))
  return joinClickHouseConditions([
    accountCondition,
    ...(selection.channels === undefined ? [] : [clickHouseSql`channel in ${stringArrayParam(of)}`]),
    ...optional(selection.subject, (subject) => clickHouseSql`subject = ${int64Param(subject)}`),
    ...optional(selection.contact, (contact) => clickHouseSql`contact = ${int64Param(contact)}`),
    ...optional(selection.stamp, (stamp) => clickHouseSql`stamp = ${uuidParam(stamp)}`),
    ...optional(selection.thread, (thread) => clickHouseSql`thread = ${uuidParam(thread)}`),
    ...optional(selection.phone, (phone) => clickHouseSql`phone = ${stringParam(phone)}`),
    ...optional(selection.agent, (agent) => clickHouseSql`agent = ${stringParam(agent)}`),
    ...optional(
      display,
      ({ part, id }) =>
        clickHouseSql`channel = 'display' and JSONExtractString(detail, 'activation', ${stringParam(part)}) = ${stringParam(id)}`,
    ),
    ...(isEvery ? [] : [clickHouseSql`kind in ${stringArrayParam(kinds)}`]),
    ...ofClasses(selection.classes, kinds),
    ...(selection.isReactivity ? [clickHouseSql`activation_at is not null and is_test = 0`] : []),
    ...buildPeriodCondition(clickHouseSql`at`, selection.shown),
    ...buildPeriodCondition(clickHouseSql`at`, selection.period),
    ...buildPeriodCondition(clickHouseSql`activation_at`, selection.activation ?? { start: undefined, end: undefined }),
  ])
}
