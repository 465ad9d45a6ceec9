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
 * Returns a select of one column, "contact": the contacts with a matching number of such events. A contact may occur more than once, and
 * may have been deleted since; null is an event without contact.
 */
export type ContactsWithEventsQuery = (countCriteria: EventCountCriterion) => RawBuilder<unknown>

/** Criteria that are asked of the store at once. */
const MAX_CONCURRENT_LOOKUPS = 4
/** Timeout of all lookups together: a transaction that is idle for a minute is ended, and criteria may be read within one. */
const LOOKUP_TIMEOUT_MS = 50_000

/** Start of the events in PostgreSQL, and the results for those before it. */
interface DividedCriteria {
  border: number
  stored: ReadonlyMap<string, StoreContactArrays>
}

const buildCriterionKey = (countCriteria: EventCountCriterion): string =>
  JSON.stringify(countCriteria, (_, value) => (value === Number.POSITIVE_INFINITY ? 'any' : value))

const hasStoredPart = ({ criterion: { start } }: EventCountCriterion, border: number): boolean =>
  start === undefined ? border > Number.NEGATIVE_INFINITY : Date.parse(start) < border

/** Returns true if none of the criterion's events can be in PostgreSQL. */
const isEntirelyStored = ({ criterion: { end } }: EventCountCriterion, border: number): boolean =>
  end !== undefined && Date.parse(end) <= border

/**
 * Prepares event criteria of statements that are made next: what the statements cannot reach is looked up here. `among`: contacts that
 * the statements are about, where they are few. Throws `event-history-away`.
 */
export async function prepareEventCriteria(
  db: Db,
  countCriteria: readonly EventCountCriterion[],
  among?: readonly number[],
): Promise<ContactsWithEventsQuery> {
  const store = findEventStore(db)
  if (!store || countCriteria.length === 0) return (countCriterion) => selectContactsWithEvents(countCriterion)
  const border = await readStoreBorder(db)
  const criteriaByKey = new Map(
    countCriteria
      .filter((countCriterion) => hasStoredPart(countCriterion, border))
      .map((countCriterion) => [buildCriterionKey(countCriterion), countCriterion]),
  )
  const lookupOptions = { border, among, signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS) }
  const storedEntries = await mapConcurrently(
    [...criteriaByKey],
    MAX_CONCURRENT_LOOKUPS,
    async ([key, countCriterion]) => {
      return [key, await readStoreContacts(store, countCriterion, lookupOptions)] as const
    },
  )
  const dividedCriteria = { border, stored: new Map(storedEntries) }
  return (countCriterion) => selectContacts(countCriterion, dividedCriteria)
}

function readStoreContacts(
  store: EventStore,
  countCriteria: EventCountCriterion,
  { border, ...lookupOptions }: { border: number } & Pick<StoreEventCriterion, 'among' | 'signal'>,
): Promise<StoreContactArrays> {
  const { criterion, count } = countCriteria
  const countComparison = isEntirelyStored(countCriteria, border) ? count : 'counted'
  return readCriterionContacts(store, {
    ...lookupOptions,
    criterion,
    until: border,
    count: isAnyEventEnough(count) ? 'any' : countComparison,
  })
}

/** From where on events are read here. They must still be here: the border may have moved since, and what is behind it been dropped. */
function buildLocalConditions({ criterion: { start } }: EventCountCriterion, border: number): RawBuilder<unknown>[] {
  const startTime = Math.max(border, start === undefined ? border : Date.parse(start))
  const startText = Number.isFinite(startTime) ? new Date(startTime).toISOString() : '-infinity'
  return [sql`e.at >= ${startText}::timestamptz`, sql`(select events_are_here(${startText}::timestamptz))`]
}

/**
 * Both sides put together. The planner takes the rows of an array for 200 different ones, but those of a union for as many as they are:
 * with fewer it would look each contact up by itself.
 */
function selectContacts(
  countCriteria: EventCountCriterion,
  { border, stored: contactsByKey }: DividedCriteria,
): RawBuilder<unknown> {
  const part = contactsByKey.get(buildCriterionKey(countCriteria))
  const localConditions = buildLocalConditions(countCriteria, border)
  if (!part || part.size === 0) return selectContactsWithEvents(countCriteria, localConditions)
  const storedSelect = sql`select b.contact from unnest(${part.contacts}::bigint[]) b (contact)`
  const contactSelect = part.counts
    ? sql`${selectCountedOnBothSides(countCriteria, part, localConditions)} union select b.contact from unnest('{}'::bigint[]) b (contact)`
    : sql`${selectContactsWithEvents(countCriteria, localConditions)} union ${storedSelect}`
  return sql`select u.contact from (${contactSelect}) u`
}

/** Selects contacts with a matching number of events on both sides; each side has a contact once. */
function selectCountedOnBothSides(
  { criterion, count }: EventCountCriterion,
  { contacts, counts }: StoreContactArrays,
  localConditions: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  return sql`
    select coalesce(h.contact, b.contact) as contact
    from (select e.contact, count(*) as events ${selectCriterionEvents(criterion, localConditions)} group by e.contact) h
    full join unnest(${contacts}::bigint[], ${counts}::integer[]) b (contact, events) on b.contact = h.contact
    where ${isEventCountMatching(count, sql`coalesce(h.events, 0) + coalesce(b.events, 0)`)}`
}
