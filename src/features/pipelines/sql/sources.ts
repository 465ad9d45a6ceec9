import { sql } from 'kysely'
import { badRequest, Problem } from '../../../lib/errors/problem.ts'
import { isObject } from '../../../lib/objects.ts'
import { readInstant } from '../../../lib/time/period.ts'
import { beginningOf, type Span } from '../../../lib/time/spans.ts'
import type { Expression } from '../../../scripting/expressions/expression-types.ts'
import { eventsFor } from '../../events/history/older-events.ts'
import { loadCriteriaContext } from '../../segments/criteria/definitions.ts'
import { condition } from '../../segments/criteria/formula.ts'
import { membersFormula } from '../../segments/criteria/leaves.ts'
import { loadAudience } from '../../segments/members/audience.ts'
import type { Pipeline } from '../definition/definition.ts'
import { isArgument } from '../definition/expressions.ts'
import { type Bound, boundKind, MAX_INLINE_ROWS, type Source, type SourceOf } from '../definition/sources.ts'
import { type Arguments, takenArguments } from '../execution/arguments.ts'
import { bound, type Cell } from './cells.ts'
import { contactRelation } from './contact-rows.ts'
import type { Environment } from './environment.ts'
import { eventRelation, olderRows } from './event-rows.ts'
import type { Relation } from './relation.ts'

/** Where an argument of the request stands that a source names. */
function pointerOf({ value }: Expression, { isInner }: Environment): string {
  if (isInner) return ''
  return `/${/^\s*arguments[.[]\s*["']?([^.[\]"']*)/.exec(String(value))?.[1] ?? ''}`
}

async function segmentOf({ segment }: SourceOf<'segment'>, environment: Environment): Promise<number> {
  if (!isArgument(segment)) return segment as number
  const { db, account } = environment
  const id = await environment.evaluate(segment, environment)
  const { rows } = await sql`
    select from segments where account = ${account} and id = ${Number.isInteger(id) ? id : null}::bigint`.execute(db)
  if (rows.length === 0) throw badRequest(pointerOf(segment, environment), 'must be the id of a segment')
  return id as number
}

/** The contacts of a segment. */
async function segmentRelation(source: SourceOf<'segment'>, environment: Environment): Promise<Relation> {
  const { db, account, shape, present } = environment
  const segment = await segmentOf(source, environment)
  const contacts = contactRelation(shape)
  const context = await loadCriteriaContext(db, account, { segments: [segment] }, present.now)
  const members =
    context.shared.size === 0
      ? condition(membersFormula(segment, context), account)
      : sql`c.id in (select m.contact from (${await loadAudience(db, account, { selected: [segment], excluded: [] }, present.now)}) m)`
  return { ...contacts, conditions: [...contacts.conditions, members] }
}

async function instantOf(given: Bound | null, environment: Environment): Promise<string | null> {
  if (given === null) return null
  const { now, zone } = environment.present
  const kind = boundKind(given)
  if (kind === 'date') return given as string
  if (kind === 'span') return new Date(beginningOf(given as Span, now, zone)).toISOString()
  const value = await environment.evaluate(given as Expression, environment)
  if (value === null) return null
  const ms = readInstant(value)
  if (ms === undefined) throw badRequest(pointerOf(given as Expression, environment), 'must give a date (ISO 8601)')
  return new Date(ms).toISOString()
}

async function eventsRelation(source: SourceOf<'events'>, environment: Environment): Promise<Relation> {
  const { types, ids } = source
  const [start, end] = [await instantOf(source.start, environment), await instantOf(source.end, environment)]
  const { account, db, name } = environment
  const asked = { account, types, ids, start, end }
  return eventRelation(asked, name, await eventsFor(db, olderRows(asked)))
}

function valueListRelation({ id }: SourceOf<'valueList'>, { account }: Environment): Relation {
  const index: Cell = { kind: 'number', sql: sql`l.index` }
  const members: Readonly<Record<string, Cell>> = { index, value: { kind: 'text', sql: sql`l.label` } }
  return {
    from: () => sql`value_list_labels l`,
    conditions: [sql`l.account = ${account}`, sql`l.list = ${id}`],
    row: {
      ...{ kind: 'object', names: Object.keys(members) },
      member: (name) => (Object.hasOwn(members, name) ? members[name] : undefined),
    },
    order: [{ sql: sql`l.index` }],
    unique: index,
  }
}

async function inlineRelation({ rows }: SourceOf<'inline'>, environment: Environment): Promise<Relation> {
  const given = isArgument(rows) ? ((await environment.evaluate(rows, environment)) ?? []) : rows
  const pointer = isArgument(rows) ? pointerOf(rows, environment) : ''
  if (!Array.isArray(given)) throw badRequest(pointer, 'must be an array of rows')
  if (given.length > MAX_INLINE_ROWS)
    throw badRequest(pointer, `has ${given.length} rows: at most ${MAX_INLINE_ROWS} are possible`)
  const alias = environment.name()
  const objects = given.map((row) => (isObject(row) ? row : { value: row ?? null }))
  return {
    from: () => sql`jsonb_array_elements(${bound(objects)}) with ordinality as ${sql.ref(alias)} (value, n)`,
    conditions: [],
    row: { kind: 'json', sql: sql`${sql.ref(`${alias}.value`)}` },
    order: [{ sql: sql`${sql.ref(`${alias}.n`)}` }],
  }
}

/** Arguments of a compilable that is read. Throws 400 that names it. */
function innerArguments(pipeline: Pipeline, id: string, values: Arguments): Arguments {
  try {
    return takenArguments(pipeline, values)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw badRequest('', `gives the compilable ${id} an argument that it does not take: ${error.detail}`)
  }
}

/** What a compilable that is read is given. */
export async function innerEnvironment(
  { id, arguments: given }: SourceOf<'compilable'>,
  environment: Environment,
): Promise<{ pipeline: Pipeline; environment: Environment }> {
  const pipeline = environment.used.get(id!) as Pipeline
  const values: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(given ?? {})) values[name] = await environment.evaluate(one, environment)
  return { pipeline, environment: { ...environment, arguments: innerArguments(pipeline, id!, values), isInner: true } }
}

/** Translates a pipeline wholly. */
export type TranslateAll = (pipeline: Pipeline, environment: Environment) => Promise<Relation>

/** The rows of a source that the database gives. */
export async function sourceRelation(
  source: Source,
  environment: Environment,
  translateAll: TranslateAll,
): Promise<Relation> {
  switch (source.type) {
    case 'targets':
      return contactRelation(environment.shape)
    case 'segment':
      return segmentRelation(source, environment)
    case 'events':
      return eventsRelation(source, environment)
    case 'valueList':
      return valueListRelation(source, environment)
    case 'inline':
      return inlineRelation(source, environment)
    case 'compilable': {
      const inner = await innerEnvironment(source, environment)
      return translateAll(inner.pipeline, inner.environment)
    }
  }
}
