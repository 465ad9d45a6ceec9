import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../lib/account.ts'
import { createUuidV7, parseActionId } from '../../../lib/ids.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import { type EventTypeSource, resolveEventSource } from '../../events/kinds/listened-types.ts'
import { findGoalEventList, type GoalEvent } from './stored-goal.ts'

type SqlFragment = RawBuilder<unknown>

const about = (member: string): SqlFragment =>
  sql`coalesce(e.detail #>> array['activation', ${sql.lit(member)}], e.detail #>> array['execution', ${sql.lit(member)}])`

/** SQL readers of an event `e`, by member. If there are several readers, one match is enough. `kinds` and `ids` are columns. */
const EVENT_READERS: Readonly<Record<string, readonly SqlFragment[]>> = {
  versions: [about('version')],
  causes: [sql`e.detail #>> '{cancellation,type}'`],
  verdicts: [sql`e.detail #>> '{bounce,analysis,verdict}'`],
  links: [sql`e.detail #>> '{link,name}'`, sql`e.detail #>> '{link,id}'`],
  postbacks: [sql`e.detail #>> '{interaction,suggestion,postback}'`],
  campaigns: [about('campaign')],
  placements: [about('placement')],
  contents: [about('content')],
}

/** The same of a notice `n`. */
const NOTICE_READERS: Readonly<Record<string, readonly SqlFragment[]>> = {
  names: [sql`n.name`],
  fields: [sql`n.data ->> 'field'`],
  channels: [],
  segments: [sql`n.data ->> 'segment'`],
  applications: [sql`n.data ->> 'application'`],
}

/** Members of a notice that hold a list, of which one match is enough. */
const NOTICE_LISTS: ReadonlySet<string> = new Set(['fields', 'channels'])

function buildMemberConditions(
  event: GoalEvent,
  readers: Readonly<Record<string, readonly SqlFragment[]>>,
): SqlFragment[] {
  return Object.entries(readers).flatMap(([name, memberReaders]) => {
    const wantedValues = findGoalEventList(event, name)?.map(String)
    if (!wantedValues) return []
    const memberConditions = memberReaders.map((memberValue) => sql`${memberValue} = any(${wantedValues}::text[])`)
    if (NOTICE_LISTS.has(name))
      memberConditions.push(sql`case jsonb_typeof(n.data -> ${name}::text) when 'array' then exists (
        select from jsonb_array_elements_text(n.data -> ${name}::text) m where m = any(${wantedValues}::text[])) end`)
    return [sql`(${sql.join(memberConditions, sql` or `)}) is true`]
  })
}

type ChannelEventSource = Extract<EventTypeSource, { from: 'events' }>

/** Channel events that a goal selects. */
function resolveEventSelection(event: GoalEvent, { channels, kinds }: ChannelEventSource) {
  const kindsFilter = findGoalEventList(event, 'kinds')
  return {
    channels,
    own: kindsFilter ? kinds.filter((kind) => kindsFilter.includes(kind.split('/')[1] ?? '')) : kinds,
    subjects: findGoalEventList(event, 'ids')?.map((id) => (typeof id === 'string' ? parseActionId(id)! : id)),
  }
}

function selectChannelEvents(
  events: SqlFragment,
  { account, event, since }: GoalEventQuery,
  source: ChannelEventSource,
): SqlFragment {
  const { channels, own: ownKinds, subjects } = resolveEventSelection(event, source)
  const conditions = [
    sql`e.account = ${account} and e.channel = any(${channels}::text[]) and e.kind = any(${ownKinds}::text[])`,
    sql`not e.is_test and e.classification is null and e.contact is not null and e.at >= ${since}`,
    ...(subjects ? [sql`e.subject = any(${subjects}::integer[])`] : []),
    ...buildMemberConditions(event, EVENT_READERS),
  ]
  return sql`select e.contact, e.at from ${events} e where ${sql.join(conditions, sql` and `)}`
}

function selectChanges({ account, event, since }: GoalEventQuery): SqlFragment {
  const conditions = [
    sql`n.account = ${account} and n.type = ${event.type} and n.contact is not null`,
    sql`n.id >= ${createUuidV7(since.getTime() - 1)}::uuid`,
    ...buildMemberConditions(event, NOTICE_READERS),
  ]
  return sql`select n.contact, uuid_extract_timestamp(n.id) as at from notices n where ${sql.join(conditions, sql` and `)}`
}

/** Goal event of an account, and the time from which it counts. */
interface GoalEventQuery {
  account: number
  event: GoalEvent
  since: Date
}

/** The paths that `EVENT_READERS` reads. */
const READ_PATHS = [
  ...['activation', 'execution'].flatMap((about) =>
    ['version', 'campaign', 'placement', 'content'].map((of) => `${about},${of}`),
  ),
  'cancellation,type',
  'bounce,analysis,verdict',
  'link,name',
  'link,id',
  'interaction,suggestion,postback',
]

/** Filter of the channel events that `selectGoalEvents` reads. */
export function buildGoalEventFilter({ account, event, since }: GoalEventQuery): EventReadScope[] {
  const source = resolveEventSource(event.type)
  if (source.from === 'notices') return []
  const { channels, own: kinds, subjects } = resolveEventSelection(event, source)
  const conditions = { channels, kinds, subjects, since: since.getTime(), isHuman: true as const }
  return [{ account: account as AccountId, ...conditions, paths: READ_PATHS }]
}

/**
 * The events of an account that a goal asks for, since then, as rows: contact, at; of the events that are given, and of changes. Proofs,
 * and what machines did, are none.
 */
export function selectGoalEvents(events: RawBuilder<unknown>, eventQuery: GoalEventQuery): RawBuilder<unknown> {
  const source = resolveEventSource(eventQuery.event.type)
  return source.from === 'events' ? selectChannelEvents(events, eventQuery, source) : selectChanges(eventQuery)
}
