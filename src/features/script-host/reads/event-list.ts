import { type RawBuilder, sql } from 'kysely'
import { isJsonObject } from '../../../lib/objects.ts'
import { parseInstant } from '../../../lib/time/period.ts'
import { ScriptHostError } from '../../../scripting/sandbox/types.ts'
import { withEventTable } from '../../events/history/older-events.ts'
import { listenedEventTypes, resolveEventSource } from '../../events/kinds/listened-types.ts'
import { readTypedRecords } from '../../workflows/stepping/records.ts'
import { findScriptContactId } from './named-contacts.ts'
import type { ScriptReadFunction } from './read-types.ts'

/** Events that are listed at a time. */
const MOST = 100

/** What is listed of a contact: types as listeners name them, and a period in milliseconds. */
interface Listing {
  types: readonly string[]
  start: number | null
  end: number | null
  limit: number
}

function typesOf(given: unknown): readonly string[] {
  if (given == null) return [...listenedEventTypes.keys()]
  const unknown = Array.isArray(given) ? given.find((type) => !listenedEventTypes.has(type)) : given
  if (Array.isArray(given) && unknown === undefined) return given
  throw new ScriptHostError(
    `The types of events.list are a list of any of ${[...listenedEventTypes.keys()].join(', ')}.`,
  )
}

function instantOf(name: string, given: unknown): number | null {
  if (given == null) return null
  const instant = parseInstant(given)
  if (instant === undefined) throw new ScriptHostError(`The ${name} of events.list is an ISO 8601 date or a Unix time.`)
  return instant
}

function listingOf(given: unknown): Listing {
  if (given != null && !isJsonObject(given))
    throw new ScriptHostError('events.list is given {types, start, end, limit}.')
  const { types, start, end, limit } = given ?? {}
  const listing = { types: typesOf(types), start: instantOf('start', start), end: instantOf('end', end) }
  if (listing.start !== null && listing.end !== null && listing.end < listing.start)
    throw new ScriptHostError('The end of events.list is before its start.')
  const most = limit ?? MOST
  if (typeof most !== 'number' || !Number.isInteger(most) || most < 1 || most > MOST)
    throw new ScriptHostError(`The limit of events.list is 1 to ${MOST}.`)
  return { ...listing, limit: most }
}

function sourcesOf(types: readonly string[]) {
  return types.flatMap((type) => {
    const source = resolveEventSource(type)
    return source.from === 'events' ? [source] : []
  })
}

/** The channels and kinds of the stored events of types, place by place. */
function kindsOf(types: readonly string[]): { channels: string[]; kinds: string[] } {
  const pairs = sourcesOf(types).flatMap(({ channels, kinds }) =>
    channels.flatMap((channel) => kinds.map((kind) => [channel, kind] as const)),
  )
  return { channels: pairs.map(([channel]) => channel), kinds: pairs.map(([, kind]) => kind) }
}

function within(at: RawBuilder<unknown>, { start, end }: Listing): RawBuilder<unknown> {
  const from = start === null ? sql`true` : sql`${at} >= ${new Date(start)}`
  return end === null ? from : sql`${from} and ${at} < ${new Date(end)}`
}

/** `events.list(identification, {types, start, end, limit})`: records as workflows see them, the latest first. */
export const listContactEvents: ScriptReadFunction = async ({ db, account }, [identification, given]) => {
  const listing = listingOf(given)
  const contact = await findScriptContactId(db, account, identification)
  if (contact === undefined) return []
  const { types, limit } = listing
  const { channels, kinds } = kindsOf(types)
  const { start, end } = listing
  const first = { sort: 'desc', limit } as const
  const about = { account, contacts: [contact], since: start ?? undefined, until: end ?? undefined, first }
  const wanted = sourcesOf(types).map((source) => ({ ...about, ...source, isHuman: true as const, paths: [] }))
  const ids = await withEventTable(db, wanted, async (tx, events) => {
    const { rows } = await sql<{ id: string }>`
    select id from (
      (select e.id from ${events} e
       where e.account = ${account} and e.contact = ${contact} and not e.is_test and e.classification is null
         and (e.channel, e.kind) in (select * from unnest(${channels}::text[], ${kinds}::text[]))
         and not exists (select from unsettled_hits u where u.event = e.id) and ${within(sql`e.at`, listing)}
       order by e.at desc, e.id desc limit ${limit})
      union all
      (select n.id from notices n
       where n.account = ${account} and n.contact = ${contact} and n.type = any(${types}::text[])
         and ${within(sql`uuid_extract_timestamp(n.id)`, listing)}
       order by n.id desc limit ${limit})) every_one
    order by id desc limit ${limit}`.execute(tx)
    return rows.map(({ id }) => id)
  })
  const records = await readTypedRecords(db, ids, [account])
  return ids.flatMap((id) => records.get(id)?.record ?? [])
}
