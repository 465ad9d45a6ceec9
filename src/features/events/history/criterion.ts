import { type RawBuilder, sql } from 'kysely'
import { getChannelTraits, sendingChannelNames } from '../../../channels/facts.ts'
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

/** Which events of contacts count; absent members leave nothing out. Proofs never count. */
export interface EventCriterion {
  account: AccountId
  kinds: readonly EventKind[]
  channel?: EventChannel | undefined
  /** Numbers of e-mail and SMS actions, and of RCS actions and notifications: each pair counts for itself. */
  actions?: { addressed: readonly number[]; mobile: readonly number[] } | undefined
  /** Bounds on publication, as ISO dates: start inclusive, end exclusive. */
  start?: string | undefined
  end?: string | undefined
  /** Whether hits and interactions of machines count. */
  robots: boolean
}

/** Contacts that have so many such events. */
export interface EventCountCriterion {
  criterion: EventCriterion
  count: EventCountRange
}

/** How many events a contact must have: a number from `least` to `most`, or with `outside` any other; never none. */
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
export function findKindChannels(wanted: readonly EventKind[]): EventChannel[] {
  return eventChannels.filter((channel) => listKindsBelow('', [channel]).some((kind) => wanted.includes(kind)))
}

/** E-mail and SMS: the actions of RCS have numbers of their own, which a criterion names otherwise. */
export const messageActionChannels = sendingChannelNames.filter(
  (name) => getChannelTraits(name).sourceKind === 'action',
)
/** Their actions are named by numbers. */
export const mobileChannels = ['rcs', 'notification'] as const satisfies readonly EventChannel[]

function ofActions({ addressed, mobile }: { addressed: readonly number[]; mobile: readonly number[] }) {
  const sides = [
    ...(addressed.length > 0
      ? [sql`e.channel = any(${messageActionChannels}::text[]) and e.subject = any(${addressed}::integer[])`]
      : []),
    ...(mobile.length > 0
      ? [sql`e.channel = any(${mobileChannels}::text[]) and e.subject = any(${mobile}::integer[])`]
      : []),
  ]
  return sides.length === 0 ? sql`false` : sql`(${sql.join(sides, sql` or `)})`
}

function conditions(asked: EventCriterion): RawBuilder<unknown>[] {
  const { account, channel, actions, start, end, robots } = asked
  const of = channel === undefined ? findKindChannels(asked.kinds) : [channel]
  return [
    sql`e.account = ${account}`,
    sql`e.channel = any(${of}::text[])`,
    sql`e.kind = any(${asked.kinds}::text[])`,
    sql`not e.is_test`,
    ...(actions ? [ofActions(actions)] : []),
    ...(start === undefined ? [] : [sql`e.at >= ${start}::timestamptz`]),
    ...(end === undefined ? [] : [sql`e.at < ${end}::timestamptz`]),
    ...(robots || !asked.kinds.some(isClassifiedKind) ? [] : [sql`e.classification is null`]),
  ]
}

/** Whether one event is enough, and none too few. */
export function isAnyEventEnough({ least, most, outside }: EventCountRange): boolean {
  return outside ? least <= 0 && most <= 0 : least <= 1 && most === Number.POSITIVE_INFINITY
}

/** Whether a number of events is one that is asked for. */
export function isEventCountMatching(
  { least, most, outside }: EventCountRange,
  events: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (most === Number.POSITIVE_INFINITY) return sql`(${events} >= ${least}::bigint) <> ${outside}::boolean`
  return sql`(${events} between ${least}::bigint and ${most}::bigint) <> ${outside}::boolean`
}

/** What of events is here: `from … where …` on `events e`, with more conditions. */
export function selectCriterionEvents(
  asked: EventCriterion,
  more: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  return sql`from events e where ${sql.join([...conditions(asked), ...more], sql` and `)}`
}

/**
 * A select of one column, "contact": who has so many such events here. A contact may come more than once, and may have been
 * deleted since; null is an event without contact.
 */
export function selectContactsWithEvents(
  { criterion, count }: EventCountCriterion,
  more: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const select = sql`select e.contact ${selectCriterionEvents(criterion, more)}`
  return isAnyEventEnough(count)
    ? select
    : sql`${select} group by e.contact having ${isEventCountMatching(count, sql`count(*)`)}`
}
