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

const clampInstant = (ms: number): number => Math.min(Math.max(ms, 0), LAST_EVENT_INSTANT_MS)

/** The bounds of a period on a column of instants: start inclusive, end exclusive. */
export function buildPeriodCondition(column: ClickHouseFragment, { start, end }: TimePeriod): ClickHouseFragment[] {
  return [
    ...(start === undefined ? [] : [clickHouseSql`${column} >= ${instantParam(clampInstant(start))}`]),
    ...(end === undefined ? [] : [clickHouseSql`${column} < ${instantParam(clampInstant(end))}`]),
  ]
}

/** As in PostgreSQL: kinds without classes are never filtered by theirs, on lists that hold others too. */
function buildClassConditions(classes: HitClassFilter, kinds: readonly EventKind[]): ClickHouseFragment[] {
  if (classes === 'all' || !kinds.some(isClassifiedKind)) return []
  const classWords = [...classes.of].map((word) => word ?? '')
  const isListedClass = clickHouseSql`has(${stringArrayParam(classWords)}, classification)`
  const unclassifiedKinds = kinds.filter((kind) => !isClassifiedKind(kind))
  if (classes.of.has(null) || unclassifiedKinds.length === 0) return [isListedClass]
  return [clickHouseSql`(${isListedClass} or kind in ${stringArrayParam(unclassifiedKinds)})`]
}

const whenDefined = <T>(value: T | undefined, make: (value: T) => ClickHouseFragment): ClickHouseFragment[] =>
  value === undefined ? [] : [make(value)]

/** The conditions of a selection on the tables of the store. */
export function buildStoreConditions(selection: EventSelection): ClickHouseFragment {
  const { kinds, channels: selectedChannels = eventChannels, display } = selection
  const isEveryKind = listKindsBelow('', selectedChannels).every((kind) => kinds.includes(kind))
  return joinClickHouseConditions([
    accountCondition,
    ...(selection.channels === undefined ? [] : [clickHouseSql`channel in ${stringArrayParam(selectedChannels)}`]),
    ...whenDefined(selection.subject, (subject) => clickHouseSql`subject = ${int64Param(subject)}`),
    ...whenDefined(selection.contact, (contact) => clickHouseSql`contact = ${int64Param(contact)}`),
    ...whenDefined(selection.stamp, (stamp) => clickHouseSql`stamp = ${uuidParam(stamp)}`),
    ...whenDefined(selection.thread, (thread) => clickHouseSql`thread = ${uuidParam(thread)}`),
    ...whenDefined(selection.phone, (phone) => clickHouseSql`phone = ${stringParam(phone)}`),
    ...whenDefined(selection.agent, (agent) => clickHouseSql`agent = ${stringParam(agent)}`),
    ...whenDefined(
      display,
      ({ part, id }) =>
        clickHouseSql`channel = 'display' and JSONExtractString(detail, 'activation', ${stringParam(part)}) = ${stringParam(id)}`,
    ),
    ...(isEveryKind ? [] : [clickHouseSql`kind in ${stringArrayParam(kinds)}`]),
    ...buildClassConditions(selection.classes, kinds),
    ...(selection.isReactivity ? [clickHouseSql`activation_at is not null and is_test = 0`] : []),
    ...buildPeriodCondition(clickHouseSql`at`, selection.shown),
    ...buildPeriodCondition(clickHouseSql`at`, selection.period),
    ...buildPeriodCondition(clickHouseSql`activation_at`, selection.activation ?? { start: undefined, end: undefined }),
  ])
}
