import { type RawBuilder, sql } from 'kysely'
import { readActionId, uuidV7 } from '../../../../lib/ids.ts'
import { type Source, sourceOf } from '../../../events/listened-types.ts'
import { type GoalEvent, listOf } from './stored-goal.ts'

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
    const wanted = listOf(event, name)?.map(String)
    if (!wanted) return []
    const each = read.map((said) => sql`${said} = any(${wanted}::text[])`)
    if (name === 'fields')
      each.push(sql`case jsonb_typeof(n.data -> 'fields') when 'array' then exists (
        select from jsonb_array_elements_text(n.data -> 'fields') f where f = any(${wanted}::text[])) end`)
    return [sql`(${sql.join(each, sql` or `)}) is true`]
  })
}

function ofChannels(
  account: number,
  event: GoalEvent,
  { channels, kinds }: Extract<Source, { from: 'events' }>,
  since: Date,
): Sql {
  const asked = listOf(event, 'kinds')
  const own = asked ? kinds.filter((kind) => asked.includes(kind.split('/')[1] ?? '')) : kinds
  const subjects = listOf(event, 'ids')?.map((id) => (typeof id === 'string' ? readActionId(id)! : id))
  const conditions = [
    sql`e.account = ${account} and e.channel = any(${channels}::text[]) and e.kind = any(${own}::text[])`,
    sql`not e.is_test and e.classification is null and e.contact is not null and e.at >= ${since}`,
    ...(subjects ? [sql`e.subject = any(${subjects}::integer[])`] : []),
    ...conditionsOf(event, ofEvents),
  ]
  return sql`select e.contact, e.at from events e where ${sql.join(conditions, sql` and `)}`
}

function ofChanges(account: number, event: GoalEvent, since: Date): Sql {
  const conditions = [
    sql`n.account = ${account} and n.type = ${event.type} and n.contact is not null`,
    sql`n.id >= ${uuidV7(since.getTime() - 1)}::uuid`,
    ...conditionsOf(event, ofNotices),
  ]
  return sql`select n.contact, uuid_extract_timestamp(n.id) as at from notices n where ${sql.join(conditions, sql` and `)}`
}

/** The events of an account that a goal asks for, since then, as rows: contact, at. Proofs, and what machines did, are none. */
export function goalEvents(account: number, event: GoalEvent, since: Date): RawBuilder<unknown> {
  const source = sourceOf(event.type)
  return source.from === 'events' ? ofChannels(account, event, source, since) : ofChanges(account, event, since)
}
