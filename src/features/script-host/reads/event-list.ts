import { type RawBuilder, sql } from 'kysely'
import { isJsonObject } from '../../../lib/objects.ts'
import { parseInstant } from '../../../lib/time/period.ts'
import { ScriptHostError } from '../../../scripting/sandbox/types.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import { listenedEventTypes, resolveEventSource } from '../../events/kinds/listened-types.ts'
import { readTypedRecords } from '../../workflows/dispatch/event-records.ts'
import { findScriptContactId } from './named-contacts.ts'
import type { ScriptReadFunction } from './read-types.ts'

/** Events that are listed at a time. */
const MAX_LISTED_EVENTS = 100

/** Options of an event listing: event types as listeners name them, and a period in milliseconds. */
interface EventListing {
  types: readonly string[]
  start: number | null
  end: number | null
  limit: number
}

function parseEventTypes(rawTypes: unknown): readonly string[] {
  if (rawTypes == null) return [...listenedEventTypes.keys()]
  const unknownType = Array.isArray(rawTypes) ? rawTypes.find((type) => !listenedEventTypes.has(type)) : rawTypes
  if (Array.isArray(rawTypes) && unknownType === undefined) return rawTypes
  throw new ScriptHostError(`The types of events.list must be a list of ${[...listenedEventTypes.keys()].join(', ')}.`)
}

function parsePeriodBound(name: string, rawInstant: unknown): number | null {
  if (rawInstant == null) return null
  const instant = parseInstant(rawInstant)
  if (instant === undefined)
    throw new ScriptHostError(`The ${name} of events.list must be an ISO 8601 date or a Unix time.`)
  return instant
}

function parseEventListing(rawOptions: unknown): EventListing {
  if (rawOptions != null && !isJsonObject(rawOptions))
    throw new ScriptHostError('events.list takes {types, start, end, limit}.')
  const { types, start, end, limit } = rawOptions ?? {}
  const eventListing = {
    types: parseEventTypes(types),
    start: parsePeriodBound('start', start),
    end: parsePeriodBound('end', end),
  }
  if (eventListing.start !== null && eventListing.end !== null && eventListing.end < eventListing.start)
    throw new ScriptHostError('The end of events.list must not be before its start.')
  const maxEvents = limit ?? MAX_LISTED_EVENTS
  if (typeof maxEvents !== 'number' || !Number.isInteger(maxEvents) || maxEvents < 1 || maxEvents > MAX_LISTED_EVENTS)
    throw new ScriptHostError(`The limit of events.list must be from 1 to ${MAX_LISTED_EVENTS}.`)
  return { ...eventListing, limit: maxEvents }
}

function resolveTypeSources(types: readonly string[]) {
  return types.flatMap((type) => {
    const source = resolveEventSource(type)
    return source.from === 'events' ? [source] : []
  })
}

/** The channels and kinds of the stored events of types, place by place. */
function listChannelKinds(types: readonly string[]): { channels: string[]; kinds: string[] } {
  const channelKindPairs = resolveTypeSources(types).flatMap(({ channels, kinds }) =>
    channels.flatMap((channel) => kinds.map((kind) => [channel, kind] as const)),
  )
  return { channels: channelKindPairs.map(([channel]) => channel), kinds: channelKindPairs.map(([, kind]) => kind) }
}

function buildPeriodCondition(at: RawBuilder<unknown>, { start, end }: EventListing): RawBuilder<unknown> {
  const startCondition = start === null ? sql`true` : sql`${at} >= ${new Date(start)}`
  return end === null ? startCondition : sql`${startCondition} and ${at} < ${new Date(end)}`
}

/** `events.list(identification, {types, start, end, limit})`: records as workflows see them, the latest first. */
export const listContactEvents: ScriptReadFunction = async ({ db, account }, [identification, rawListing]) => {
  const eventListing = parseEventListing(rawListing)
  const contact = await findScriptContactId(db, account, identification)
  if (contact === undefined) return []
  const { types: eventTypes, limit } = eventListing
  const { channels, kinds } = listChannelKinds(eventTypes)
  const { start, end } = eventListing
  const readOrder = { sort: 'desc', limit } as const
  const commonScope = {
    account,
    contacts: [contact],
    since: start ?? undefined,
    until: end ?? undefined,
    first: readOrder,
  }
  const readScopes = resolveTypeSources(eventTypes).map((source) => ({
    ...commonScope,
    ...source,
    isHuman: true as const,
    paths: [],
  }))
  const eventIds = await withEventTable(db, readScopes, async (tx, events) => {
    const { rows } = await sql<{ id: string }>`
    select id from (
      (select e.id from ${events} e
       where e.account = ${account} and e.contact = ${contact} and not e.is_test and e.classification is null
         and (e.channel, e.kind) in (select * from unnest(${channels}::text[], ${kinds}::text[]))
         and not exists (select from unsettled_hits u where u.event = e.id) and ${buildPeriodCondition(sql`e.at`, eventListing)}
       order by e.at desc, e.id desc limit ${limit})
      union all
      (select n.id from notices n
       where n.account = ${account} and n.contact = ${contact} and n.type = any(${eventTypes}::text[])
         and ${buildPeriodCondition(sql`uuid_extract_timestamp(n.id)`, eventListing)}
       order by n.id desc limit ${limit})) every_one
    order by id desc limit ${limit}`.execute(tx)
    return rows.map(({ id }) => id)
  })
  const records = await readTypedRecords(db, eventIds, [account])
  return eventIds.flatMap((id) => records.get(id)?.record ?? [])
}
