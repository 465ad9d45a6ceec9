import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../lib/account.ts'
import { createUuidV7, parseActionId } from '../../../lib/ids.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import { type EventTypeSource, resolveEventSource } from '../../events/kinds/listened-types.ts'
import { findGoalEventList, type GoalEvent } from './stored-goal.ts'

type Sql = RawBuilder<unknown>

const about = (member: string): Sql =>
  sql`coalesce(e.detail #>> array['activation', ${sql.lit(member)}], e.detail #>> array['execution', ${sql.lit(member)}])`

/** What an event `e` says of each member. A list means: any of them. `kinds` and `ids` are columns. */
const ofEvents: Readonly<Record<string, readonly Sql[]>> = {
  versions: [about('version')],
  causes: [sql`e.detail #>> '{cancellation,type}'`],
  verdicts: [sql`e.detail #>> '{bounce,analysis,verdict}'`],
  links: [sql`e.detail #>> '{link,name}'`, sql`e.detail #>> '{link,id}'`],
  postbacks: [sql`e.detail #>> '{interaction,suggestion,postback}'`],
  campaigns: [about('campaign')],
  placements: [about('placement')],
  contents: [about('content')],
}

/** The same of a notice `n`; `fields` of an update are several. */
const ofNotices: Readonly<Record<string, readonly Sql[]>> = {
  names: [sql`n.name`],
  fields: [sql`n.data ->> 'field'`],
  channels: [sql`n.data ->> 'channel'`],
  segments: [sql`n.data ->> 'segment'`],
  applications: [sql`n.data ->> 'application'`],
}

function conditionsOf(event: GoalEvent, readers: Readonly<Record<string, readonly Sql[]>>): Sql[] {
  return Object.entries(readers).flatMap(([name, read]) => {
    const wanted = findGoalEventList(event, name)?.map(String)
    if (!wanted) return []
    const each = read.map((said) => sql`${said} = any(${wanted}::text[])`)
    if (name === 'fields')
      each.push(sql`case jsonb_typeof(n.data -> 'fields') when 'array' then exists (
        select from jsonb_array_elements_text(n.data -> 'fields') f where f = any(${wanted}::text[])) end`)
    return [sql`(${sql.join(each, sql` or `)}) is true`]
  })
}

type ChannelSource = Extract<EventTypeSource, { from: 'events' }>

/** What a goal wants of the events of channels. */
function wantedOf(event: GoalEvent, { channels, kinds }: ChannelSource) {
  const asked = findGoalEventList(event, 'kinds')
  return {
    channels,
    own: asked ? kinds.filter((kind) => asked.includes(kind.split('/')[1] ?? '')) : kinds,
    subjects: findGoalEventList(event, 'ids')?.map((id) => (typeof id === 'string' ? parseActionId(id)! : id)),
  }
}

function ofChannels(events: Sql, { account, event, since }: Asked, source: ChannelSource): Sql {
  const { channels, own, subjects } = wantedOf(event, source)
  const conditions = [
    sql`e.account = ${account} and e.channel = any(${channels}::text[]) and e.kind = any(${own}::text[])`,
    sql`not e.is_test and e.classification is null and e.contact is not null and e.at >= ${since}`,
    ...(subjects ? [sql`e.subject = any(${subjects}::integer[])`] : []),
    ...conditionsOf(event, ofEvents),
  ]
  return sql`select e.contact, e.at from ${events} e where ${sql.join(conditions, sql` and `)}`
}

function ofChanges({ account, event, since }: Asked): Sql {
  const conditions = [
    sql`n.account = ${account} and n.type = ${event.type} and n.contact is not null`,
    sql`n.id >= ${createUuidV7(since.getTime() - 1)}::uuid`,
    ...conditionsOf(event, ofNotices),
  ]
  return sql`select n.contact, uuid_extract_timestamp(n.id) as at from notices n where ${sql.join(conditions, sql` and `)}`
}

/** What an account's goal asks for, since when. */
interface Asked {
  account: number
  event: GoalEvent
  since: Date
}

/** The paths that `ofEvents` reads. */
const read = [
  ...['activation', 'execution'].flatMap((about) =>
    ['version', 'campaign', 'placement', 'content'].map((of) => `${about},${of}`),
  ),
  ...['cancellation,type', 'bounce,analysis,verdict', 'link,name', 'link,id', 'interaction,suggestion,postback'],
]

/** Which events of channels `selectGoalEvents` reads. */
export function buildGoalEventFilter({ account, event, since }: Asked): EventReadScope[] {
  const source = resolveEventSource(event.type)
  if (source.from === 'notices') return []
  const { channels, own: kinds, subjects } = wantedOf(event, source)
  const conditions = { channels, kinds, subjects, since: since.getTime(), isHuman: true as const }
  return [{ account: account as AccountId, ...conditions, paths: read }]
}

/**
 * The events of an account that a goal asks for, since then, as rows: contact, at; of the events that are given, and of changes. Proofs,
 * and what machines did, are none.
 */
export function selectGoalEvents(events: RawBuilder<unknown>, asked: Asked): RawBuilder<unknown> {
  const source = resolveEventSource(asked.event.type)
  return source.from === 'events' ? ofChannels(events, asked, source) : ofChanges(asked)
}
