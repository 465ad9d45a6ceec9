import { sql } from 'kysely'
import { parseActionId } from '../../../lib/ids.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import { resolveEventSource } from '../../events/kinds/listened-types.ts'
import type { SqlCell, SqlExpression } from './cells.ts'
import type { RowRelation, SqlAliasGenerator } from './relation.ts'

/** Which events are read: bounds are instants as the service writes them, start inclusive, end exclusive. */
export interface EventRowQuery {
  account: number
  types: readonly string[]
  start: string | null
  end: string | null
  ids: readonly (string | number)[] | null
}

function between(instant: SqlExpression, { start, end }: EventRowQuery): SqlExpression[] {
  return [
    ...(start === null ? [] : [sql`${instant} >= ${start}::timestamptz`]),
    ...(end === null ? [] : [sql`${instant} < ${end}::timestamptz`]),
  ]
}

/** Subjects of events: texts are ids of e-mail and SMS actions, numbers those of RCS actions and notifications. */
function ofSubjects(ids: readonly (string | number)[]): SqlExpression {
  const actions = ids.flatMap((id) => (typeof id === 'string' ? (parseActionId(id) ?? []) : []))
  const numbers = ids.filter((id) => typeof id === 'number')
  return sql`e.subject = any(case when e.channel in ('rcs', 'notification') then ${numbers}::integer[] else ${actions}::integer[] end)`
}

function sourcesOf({ types }: EventRowQuery) {
  return types.flatMap((type) => {
    const source = resolveEventSource(type)
    return source.from === 'events' ? [{ type, ...source }] : []
  })
}

/** Which older events are among them. */
export function findOlderEventRows(asked: EventRowQuery): EventReadScope[] {
  const sources = sourcesOf(asked)
  if (sources.length === 0) return []
  const bound = (instant: string | null) => (instant === null ? undefined : Date.parse(instant))
  const channels = [...new Set(sources.flatMap((source) => source.channels))]
  const kinds = [...new Set(sources.flatMap((source) => source.kinds))]
  const { account, start, end } = asked
  return [{ ...{ account, channels, kinds, isHuman: true as const }, since: bound(start), until: bound(end) }]
}

/** Records of channels: proofs, what machines did and what is not settled are left out, as listeners leave them out. */
function recordSelect(asked: EventRowQuery, events: SqlExpression): SqlExpression | undefined {
  const sources = sourcesOf(asked)
  if (sources.length === 0) return undefined
  const channels = [...new Set(sources.flatMap((source) => source.channels))]
  const kinds = [...new Set(sources.flatMap((source) => source.kinds))]
  const each = sources.map((one) => ({
    type: one.type,
    fits: sql`e.channel = any(${one.channels}::text[]) and e.kind = any(${one.kinds}::text[])`,
  }))
  const conditions = [
    sql`e.account = ${asked.account} and e.channel = any(${channels}::text[]) and e.kind = any(${kinds}::text[])`,
    sql`(${sql.join(
      each.map(({ fits }) => fits),
      sql` or `,
    )})`,
    sql`not e.is_test and e.classification is null and not exists (select from unsettled_hits u where u.account = e.account and u.event = e.id)`,
    ...between(sql`e.at`, asked),
    ...(asked.ids && asked.ids.length > 0 ? [ofSubjects(asked.ids)] : []),
  ]
  const types = each.map(({ type, fits }) => sql`when ${fits} then ${type}::text`)
  return sql`
    select e.id, e.at, e.contact, case ${sql.join(types, sql` `)} end as type, e.channel::text as source,
      nullif(split_part(e.kind, '/', 2), '') as kind,
      coalesce(e.detail #> '{activation,stamp}', e.detail #> '{execution,stamp}')::jsonb as stamp, e.detail::jsonb as data
    from ${events} e where ${sql.join(conditions, sql` and `)}`
}

/** Change notices and custom events, whose kind is their name. */
function noticeSelect(asked: EventRowQuery): SqlExpression | undefined {
  const types = asked.types.filter((type) => resolveEventSource(type).from === 'notices')
  if (types.length === 0 || (asked.ids && asked.ids.length > 0)) return undefined
  const at = sql`uuid_extract_timestamp(n.id)`
  const conditions = [sql`n.account = ${asked.account} and n.type = any(${types}::text[])`, ...between(at, asked)]
  return sql`
    select n.id, ${at} as at, n.contact, n.type::text, null::text as source, n.name::text as kind, n.stamp, n.data
    from notices n where ${sql.join(conditions, sql` and `)}`
}

const NO_EVENTS = sql`
  select null::uuid as id, null::timestamptz as at, null::bigint as contact, null::text as type, null::text as source,
    null::text as kind, null::jsonb as stamp, null::jsonb as data where false`

/** Stored events, in the order of their ids. `events`: what is read of those of channels. */
export function createEventRelation(asked: EventRowQuery, name: SqlAliasGenerator, events: SqlExpression): RowRelation {
  const alias = name()
  const column = (of: string): SqlExpression => sql`${sql.ref(`${alias}.${of}`)}`
  const json = (of: string): SqlCell => ({ kind: 'json', sql: sql`nullif(${column(of)}, 'null')` })
  const id: SqlCell = { kind: 'text', sql: sql`${column('id')}::text` }
  const members: Readonly<Record<string, SqlCell>> = {
    id,
    type: { kind: 'text', sql: column('type') },
    timestamp: { kind: 'date', sql: column('at'), isText: false },
    contact: { kind: 'contact', sql: column('contact') },
    source: { kind: 'text', sql: column('source') },
    kind: { kind: 'text', sql: column('kind') },
    stamp: json('stamp'),
    data: json('data'),
  }
  const parts = [recordSelect(asked, events), noticeSelect(asked)].filter((part) => part !== undefined)
  const all = parts.length === 0 ? NO_EVENTS : sql.join(parts, sql` union all `)
  return {
    from: () => sql`(${all}) as ${sql.ref(alias)}`,
    conditions: [],
    row: {
      ...{ kind: 'object', names: Object.keys(members) },
      member: (of) => (Object.hasOwn(members, of) ? members[of] : undefined),
    },
    order: [{ sql: column('at') }, { sql: column('id') }],
    unique: id,
  }
}
