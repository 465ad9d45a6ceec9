import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { mapConcurrently } from '../../../lib/concurrency/map-at-once.ts'
import { readCriterionContacts, type StoreContactArrays, type StoreEventCriterion } from '../columnar/contacts.ts'
import { type EventStore, findEventStore } from '../columnar/store.ts'
import { readStoreBorder } from '../store/store-state.ts'
import {
  type EventCountCriterion,
  isAnyEventEnough,
  isEventCountMatching,
  selectContactsWithEvents,
  selectCriterionEvents,
} from './criterion.ts'

/**
 * Gives a select of one column, "contact": who has so many such events. A contact may come more than once, and may have been
 * deleted since; null is an event without contact.
 */
export type ContactsWithEventsQuery = (asked: EventCountCriterion) => RawBuilder<unknown>

/** Criteria that are asked of the store at once. */
const AT_ONCE = 4
/** How long all of them may take: a transaction that does nothing for a minute is ended, and criteria may be read within one. */
const LONGEST_MS = 50_000

/** Where the events begin that are here, and what was found of those before. */
interface Divided {
  border: number
  stored: ReadonlyMap<string, StoreContactArrays>
}

const keyOf = (asked: EventCountCriterion): string =>
  JSON.stringify(asked, (_, value) => (value === Number.POSITIVE_INFINITY ? 'any' : value))

const isBehind = ({ criterion: { start } }: EventCountCriterion, border: number): boolean =>
  start === undefined ? border > Number.NEGATIVE_INFINITY : Date.parse(start) < border

/** Whether nothing that is asked for may be here. */
const isOver = ({ criterion: { end } }: EventCountCriterion, border: number): boolean =>
  end !== undefined && Date.parse(end) <= border

/**
 * Prepares event criteria of statements that are made next: what the statements cannot reach is looked up here. `among`: contacts that
 * the statements are about, where they are few. Throws `event-history-away`.
 */
export async function prepareEventCriteria(
  db: Db,
  asked: readonly EventCountCriterion[],
  among?: readonly number[],
): Promise<ContactsWithEventsQuery> {
  const store = findEventStore(db)
  if (!store || asked.length === 0) return (one) => selectContactsWithEvents(one)
  const border = await readStoreBorder(db)
  const behind = new Map(asked.filter((one) => isBehind(one, border)).map((one) => [keyOf(one), one]))
  const looking = { border, among, signal: AbortSignal.timeout(LONGEST_MS) }
  const found = await mapConcurrently([...behind], AT_ONCE, async ([key, one]) => {
    return [key, await lookUp(store, one, looking)] as const
  })
  const divided = { border, stored: new Map(found) }
  return (one) => contactsOf(one, divided)
}

function lookUp(
  store: EventStore,
  asked: EventCountCriterion,
  { border, ...looking }: { border: number } & Pick<StoreEventCriterion, 'among' | 'signal'>,
): Promise<StoreContactArrays> {
  const { criterion, count } = asked
  const compared = isOver(asked, border) ? count : 'counted'
  return readCriterionContacts(store, {
    ...looking,
    criterion,
    until: border,
    count: isAnyEventEnough(count) ? 'any' : compared,
  })
}

/** From where on events are read here. They must still be here: the border may have moved since, and what is behind it been dropped. */
function hereFrom({ criterion: { start } }: EventCountCriterion, border: number): RawBuilder<unknown>[] {
  const from = Math.max(border, start === undefined ? border : Date.parse(start))
  const instant = Number.isFinite(from) ? new Date(from).toISOString() : '-infinity'
  return [sql`e.at >= ${instant}::timestamptz`, sql`(select events_are_here(${instant}::timestamptz))`]
}

/**
 * Both sides put together. The planner takes the rows of an array for 200 different ones, but those of a union for as many as they are:
 * with fewer it would look each contact up by itself.
 */
function contactsOf(asked: EventCountCriterion, { border, stored }: Divided): RawBuilder<unknown> {
  const part = stored.get(keyOf(asked))
  const more = hereFrom(asked, border)
  if (!part || part.size === 0) return selectContactsWithEvents(asked, more)
  const before = sql`select b.contact from unnest(${part.contacts}::bigint[]) b (contact)`
  const all = part.counts
    ? sql`${countedOnBoth(asked, part, more)} union select b.contact from unnest('{}'::bigint[]) b (contact)`
    : sql`${selectContactsWithEvents(asked, more)} union ${before}`
  return sql`select u.contact from (${all}) u`
}

/** Who has so many events of both sides; each side has a contact once. */
function countedOnBoth(
  { criterion, count }: EventCountCriterion,
  { contacts, counts }: StoreContactArrays,
  more: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  return sql`
    select coalesce(h.contact, b.contact) as contact
    from (select e.contact, count(*) as events ${selectCriterionEvents(criterion, more)} group by e.contact) h
    full join unnest(${contacts}::bigint[], ${counts}::integer[]) b (contact, events) on b.contact = h.contact
    where ${isEventCountMatching(count, sql`coalesce(h.events, 0) + coalesce(b.events, 0)`)}`
}
