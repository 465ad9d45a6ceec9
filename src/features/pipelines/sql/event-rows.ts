import { sql } from 'kysely'
import { parseActionId } from '../../../lib/ids.ts'
import type { EventReadScope } from '../../events/history/older-wanted.ts'
import { resolveEventSource } from '../../events/kinds/listened-types.ts'
import type { SqlCell, SqlExpression } from './cells.ts'
import type { RowRelation, SqlAliasGenerator } from './relation.ts'

/** Query of events: bounds are instants in the service's own format, start inclusive, end exclusive. */
export interface EventRowQuery {
  account: number
  types: readonly string[]
  start: string | null
  end: string | null
  ids: readonly (string | number)[] | null
}

function buildPeriodCondition(instant: SqlExpression, { start, end }: EventRowQuery): SqlExpression[] {
  return [
    ...(start === null ? [] : [sql`${instant} >= ${start}::timestamptz`]),
    ...(end === null ? [] : [sql`${instant} < ${end}::timestamptz`]),
  ]
}

/** Subjects of events: texts are ids of e-mail and SMS actions, numbers those of RCS actions and notifications. */
function buildSubjectCondition(ids: readonly (string | number)[]): SqlExpression {
  const actions = ids.flatMap((id) => (typeof id === 'string' ? (parseActionId(id) ?? []) : []))
  const numericIds = ids.filter((id) => typeof id === 'number')
  return sql`e.subject = any(case when e.channel in ('rcs', 'notification') then ${numericIds}::integer[] else ${actions}::integer[] end)`
}

function listEventSources({ types }: EventRowQuery) {
  return types.flatMap((type) => {
    const source = resolveEventSource(type)
    return source.from === 'events' ? [{ type, ...source }] : []
  })
}

/** Scopes of the older events among them. */
export function findOlderEventRows(eventQuery: EventRowQuery): EventReadScope[] {
  const sources = listEventSources(eventQuery)
  if (sources.length === 0) return []
  const parseBound = (instant: string | null) => (instant === null ? undefined : Date.parse(instant))
  const channels = [...new Set(sources.flatMap((source) => source.channels))]
  const kinds = [...new Set(sources.flatMap((source) => source.kinds))]
  const { account, start, end } = eventQuery
  return [{ account, channels, kinds, isHuman: true as const, since: parseBound(start), until: parseBound(end) }]
}

/** Records of channels: proofs, what machines did and what is not settled are left out, as listeners leave them out. */
function selectRecords(eventQuery: EventRowQuery, events: SqlExpression): SqlExpression | undefined {
  const sources = listEventSources(eventQuery)
  if (sources.length === 0) return undefined
  const channels = [...new Set(sources.flatMap((source) => source.channels))]
  const kinds = [...new Set(sources.flatMap((source) => source.kinds))]
  const typeConditions = sources.map((eventSource) => ({
    type: eventSource.type,
    fits: sql`e.channel = any(${eventSource.channels}::text[]) and e.kind = any(${eventSource.kinds}::text[])`,
  }))
  const conditions = [
    sql`e.account = ${eventQuery.account} and e.channel = any(${channels}::text[]) and e.kind = any(${kinds}::text[])`,
    sql`(${sql.join(
      typeConditions.map(({ fits }) => fits),
      sql` or `,
    )})`,
    sql`not e.is_test and e.classification is null and not exists (select from unsettled_hits u where u.account = e.account and u.event = e.id)`,
    ...buildPeriodCondition(sql`e.at`, eventQuery),
    ...(eventQuery.ids && eventQuery.ids.length > 0 ? [buildSubjectCondition(eventQuery.ids)] : []),
  ]
  const typeCases = typeConditions.map(({ type, fits }) => sql`when ${fits} then ${type}::text`)
  return sql`
    select e.id, e.at, e.contact, case ${sql.join(typeCases, sql` `)} end as type, e.channel::text as source,
      nullif(split_part(e.kind, '/', 2), '') as kind,
      coalesce(e.detail #> '{activation,stamp}', e.detail #> '{execution,stamp}')::jsonb as stamp, e.detail::jsonb as data
    from ${events} e where ${sql.join(conditions, sql` and `)}`
}

/** Change notices and custom events, whose kind is their name. */
function selectNotices(eventQuery: EventRowQuery): SqlExpression | undefined {
  const types = eventQuery.types.filter((type) => resolveEventSource(type).from === 'notices')
  if (types.length === 0 || (eventQuery.ids && eventQuery.ids.length > 0)) return undefined
  const noticeTime = sql`uuid_extract_timestamp(n.id)`
  const conditions = [
    sql`n.account = ${eventQuery.account} and n.type = any(${types}::text[])`,
    ...buildPeriodCondition(noticeTime, eventQuery),
  ]
  return sql`
    select n.id, ${noticeTime} as at, n.contact, n.type::text, null::text as source, n.name::text as kind, n.stamp, n.data
    from notices n where ${sql.join(conditions, sql` and `)}`
}

const EMPTY_EVENTS_SELECT = sql`
  select null::uuid as id, null::timestamptz as at, null::bigint as contact, null::text as type, null::text as source,
    null::text as kind, null::jsonb as stamp, null::jsonb as data where false`

/** Stored events, in the order of their ids. `events`: what is read of those of channels. */
export function createEventRelation(
  eventQuery: EventRowQuery,
  name: SqlAliasGenerator,
  events: SqlExpression,
): RowRelation {
  const alias = name()
  const buildColumn = (of: string): SqlExpression => sql`${sql.ref(`${alias}.${of}`)}`
  const buildJsonCell = (of: string): SqlCell => ({ kind: 'json', sql: sql`nullif(${buildColumn(of)}, 'null')` })
  const id: SqlCell = { kind: 'text', sql: sql`${buildColumn('id')}::text` }
  const members: Readonly<Record<string, SqlCell>> = {
    id,
    type: { kind: 'text', sql: buildColumn('type') },
    timestamp: { kind: 'date', sql: buildColumn('at'), isText: false },
    contact: { kind: 'contact', sql: buildColumn('contact') },
    source: { kind: 'text', sql: buildColumn('source') },
    kind: { kind: 'text', sql: buildColumn('kind') },
    stamp: buildJsonCell('stamp'),
    data: buildJsonCell('data'),
  }
  const parts = [selectRecords(eventQuery, events), selectNotices(eventQuery)].filter((part) => part !== undefined)
  const unionSelect = parts.length === 0 ? EMPTY_EVENTS_SELECT : sql.join(parts, sql` union all `)
  return {
    from: () => sql`(${unionSelect}) as ${sql.ref(alias)}`,
    conditions: [],
    row: {
      kind: 'object',
      names: Object.keys(members),
      member: (of) => (Object.hasOwn(members, of) ? members[of] : undefined),
    },
    order: [{ sql: buildColumn('at') }, { sql: buildColumn('id') }],
    unique: id,
  }
}
