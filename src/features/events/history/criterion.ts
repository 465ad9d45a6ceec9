import { type RawBuilder, sql } from 'kysely'
import { getChannelTraits, sendingChannelNames } from '../../../channels/channel-traits.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  type EventChannel,
  type EventKind,
  eventChannels,
  eventKindTable,
  eventTypes,
  isClassifiedKind,
  listKindsBelow,
} from '../kinds/event-kinds.ts'

/** Events of contacts that count; absent members exclude nothing. Proofs never count. */
export interface EventCriterion {
  account: AccountId
  kinds: readonly EventKind[]
  channel?: EventChannel | undefined
  /** Numbers of e-mail and SMS actions, and of RCS actions and notifications: each pair counts for itself. */
  actions?: { addressed: readonly number[]; mobile: readonly number[] } | undefined
  /** Bounds on publication, as ISO dates: start inclusive, end exclusive. */
  start?: string | undefined
  end?: string | undefined
  /** True if hits and interactions of machines count. */
  robots: boolean
}

/** Contacts with a matching number of such events. */
export interface EventCountCriterion {
  criterion: EventCriterion
  count: EventCountRange
}

/** Required number of events of a contact: from `least` to `most`, or with `outside` any other number; never zero. */
export interface EventCountRange {
  least: number
  most: number
  outside: boolean
}

/** The kinds which a word stands for: a `type` of events, or a path such as `hits`; '' is every kind. None: unknown. */
export function findEventKinds(word: string): EventKind[] {
  if ((eventTypes as readonly string[]).includes(word)) {
    return eventKindTable.filter(({ type }) => type === word).map(({ kind }) => kind)
  }
  return listKindsBelow(word, eventChannels)
}

/** The channels that have any of the kinds: named, they let an index by channel and time be used. */
export function findKindChannels(requiredKinds: readonly EventKind[]): EventChannel[] {
  return eventChannels.filter((channel) => listKindsBelow('', [channel]).some((kind) => requiredKinds.includes(kind)))
}

/** E-mail and SMS: the actions of RCS have numbers of their own, which a criterion names otherwise. */
export const messageActionChannels = sendingChannelNames.filter(
  (name) => getChannelTraits(name).sourceKind === 'action',
)
/** Their actions are named by numbers. */
export const mobileChannels = ['rcs', 'notification'] as const satisfies readonly EventChannel[]

function buildActionCondition({ addressed, mobile }: { addressed: readonly number[]; mobile: readonly number[] }) {
  const actionConditions = [
    ...(addressed.length > 0
      ? [sql`e.channel = any(${messageActionChannels}::text[]) and e.subject = any(${addressed}::integer[])`]
      : []),
    ...(mobile.length > 0
      ? [sql`e.channel = any(${mobileChannels}::text[]) and e.subject = any(${mobile}::integer[])`]
      : []),
  ]
  return actionConditions.length === 0 ? sql`false` : sql`(${sql.join(actionConditions, sql` or `)})`
}

function buildConditions(eventCriterion: EventCriterion): RawBuilder<unknown>[] {
  const { account, channel, actions, start, end, robots } = eventCriterion
  const selectedChannels = channel === undefined ? findKindChannels(eventCriterion.kinds) : [channel]
  return [
    sql`e.account = ${account}`,
    sql`e.channel = any(${selectedChannels}::text[])`,
    sql`e.kind = any(${eventCriterion.kinds}::text[])`,
    sql`not e.is_test`,
    ...(actions ? [buildActionCondition(actions)] : []),
    ...(start === undefined ? [] : [sql`e.at >= ${start}::timestamptz`]),
    ...(end === undefined ? [] : [sql`e.at < ${end}::timestamptz`]),
    ...(robots || !eventCriterion.kinds.some(isClassifiedKind) ? [] : [sql`e.classification is null`]),
  ]
}

/** Returns true if one event is enough, and zero is too few. */
export function isAnyEventEnough({ least, most, outside }: EventCountRange): boolean {
  return outside ? least <= 0 && most <= 0 : least <= 1 && most === Number.POSITIVE_INFINITY
}

/** Returns true if a number of events matches the range. */
export function isEventCountMatching(
  { least, most, outside }: EventCountRange,
  events: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (most === Number.POSITIVE_INFINITY) return sql`(${events} >= ${least}::bigint) <> ${outside}::boolean`
  return sql`(${events} between ${least}::bigint and ${most}::bigint) <> ${outside}::boolean`
}

/** Selects the matching events in PostgreSQL: `from … where …` on `events e`, with additional conditions. */
export function selectCriterionEvents(
  eventCriterion: EventCriterion,
  extraConditions: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  return sql`from events e where ${sql.join([...buildConditions(eventCriterion), ...extraConditions], sql` and `)}`
}

/**
 * Selects one column, "contact": the contacts with a matching number of such events in PostgreSQL. A contact may occur more than once, and
 * may have been deleted since; null is an event without contact.
 */
export function selectContactsWithEvents(
  { criterion, count }: EventCountCriterion,
  extraConditions: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const contactSelect = sql`select e.contact ${selectCriterionEvents(criterion, extraConditions)}`
  return isAnyEventEnough(count)
    ? contactSelect
    : sql`${contactSelect} group by e.contact having ${isEventCountMatching(count, sql`count(*)`)}`
}
