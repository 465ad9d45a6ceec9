import { sql } from 'kysely'
import { badRequestProblem, Problem } from '../../../lib/errors/problem.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { parseInstant } from '../../../lib/time/period.ts'
import { computeTimeSpanStart, type TimeSpan } from '../../../lib/time/spans.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { prepareEventTable } from '../../events/history/older-events.ts'
import { loadCriteriaContext } from '../../segments/criteria/definitions.ts'
import { buildFormulaCondition } from '../../segments/criteria/formula.ts'
import { buildMembersFormula } from '../../segments/criteria/leaves.ts'
import { loadSegmentAudience } from '../../segments/members/segment-audience.ts'
import type { PipelineDefinition } from '../definition/definition.ts'
import { isArgumentPath } from '../definition/expressions.ts'
import {
  classifyPeriodBound,
  MAX_INLINE_ROWS,
  type PeriodBound,
  type PipelineSource,
  type PipelineSourceOf,
} from '../definition/sources.ts'
import { type ArgumentValues, parseKnownArguments } from '../execution/arguments.ts'
import { bindJson, type SqlCell } from './cells.ts'
import { createContactRelation } from './contact-rows.ts'
import type { PipelineEnvironment } from './environment.ts'
import { createEventRelation, findOlderEventRows } from './event-rows.ts'
import type { RowRelation } from './relation.ts'

/** Pointer to the argument of the request that a source references. */
function buildArgumentPointer({ value }: DefinitionExpression, { isInner }: PipelineEnvironment): string {
  if (isInner) return ''
  return `/${/^\s*arguments[.[]\s*["']?([^.[\]"']*)/.exec(String(value))?.[1] ?? ''}`
}

async function requireSegment(
  { segment }: PipelineSourceOf<'segment'>,
  environment: PipelineEnvironment,
): Promise<number> {
  if (!isArgumentPath(segment)) return segment as number
  const { db, account } = environment
  const id = await environment.evaluate(segment, environment)
  const { rows } = await sql`
    select from segments where account = ${account} and id = ${Number.isInteger(id) ? id : null}::bigint`.execute(db)
  if (rows.length === 0)
    throw badRequestProblem(buildArgumentPointer(segment, environment), 'must be the id of a segment')
  return id as number
}

/** The contacts of a segment. */
async function createSegmentRelation(
  source: PipelineSourceOf<'segment'>,
  environment: PipelineEnvironment,
): Promise<RowRelation> {
  const { db, account, shape, present } = environment
  const segment = await requireSegment(source, environment)
  const contacts = createContactRelation(shape)
  const context = await loadCriteriaContext(db, account, { segments: [segment] }, present.now)
  const members =
    context.shared.size === 0
      ? buildFormulaCondition(buildMembersFormula(segment, context), account)
      : sql`c.id in (select m.contact from (${await loadSegmentAudience(db, account, { selected: [segment], excluded: [] }, present.now)}) m)`
  return { ...contacts, conditions: [...contacts.conditions, members] }
}

async function resolveInstant(
  periodBound: PeriodBound | null,
  environment: PipelineEnvironment,
): Promise<string | null> {
  if (periodBound === null) return null
  const { now, zone } = environment.present
  const kind = classifyPeriodBound(periodBound)
  if (kind === 'date') return periodBound as string
  if (kind === 'span') return new Date(computeTimeSpanStart(periodBound as TimeSpan, now, zone)).toISOString()
  const value = await environment.evaluate(periodBound as DefinitionExpression, environment)
  if (value === null) return null
  const instantMs = parseInstant(value)
  if (instantMs === undefined)
    throw badRequestProblem(
      buildArgumentPointer(periodBound as DefinitionExpression, environment),
      'must evaluate to a date (ISO 8601)',
    )
  return new Date(instantMs).toISOString()
}

async function createEventsRelation(
  source: PipelineSourceOf<'events'>,
  environment: PipelineEnvironment,
): Promise<RowRelation> {
  const { types, ids } = source
  const [start, end] = [await resolveInstant(source.start, environment), await resolveInstant(source.end, environment)]
  const { account, db, name } = environment
  const eventQuery = { account, types, ids, start, end }
  return createEventRelation(eventQuery, name, await prepareEventTable(db, findOlderEventRows(eventQuery)))
}

function createValueListRelation({ id }: PipelineSourceOf<'valueList'>, { account }: PipelineEnvironment): RowRelation {
  const index: SqlCell = { kind: 'number', sql: sql`l.index` }
  const members: Readonly<Record<string, SqlCell>> = { index, value: { kind: 'text', sql: sql`l.label` } }
  return {
    from: () => sql`value_list_labels l`,
    conditions: [sql`l.account = ${account}`, sql`l.list = ${id}`],
    row: {
      kind: 'object',
      names: Object.keys(members),
      member: (name) => (Object.hasOwn(members, name) ? members[name] : undefined),
    },
    order: [{ sql: sql`l.index` }],
    unique: index,
  }
}

async function createInlineRelation(
  { rows }: PipelineSourceOf<'inline'>,
  environment: PipelineEnvironment,
): Promise<RowRelation> {
  const inlineRows = isArgumentPath(rows) ? ((await environment.evaluate(rows, environment)) ?? []) : rows
  const pointer = isArgumentPath(rows) ? buildArgumentPointer(rows, environment) : ''
  if (!Array.isArray(inlineRows)) throw badRequestProblem(pointer, 'must be an array of rows')
  if (inlineRows.length > MAX_INLINE_ROWS)
    throw badRequestProblem(pointer, `has ${inlineRows.length} rows; at most ${MAX_INLINE_ROWS} are allowed`)
  const alias = environment.name()
  const objects = inlineRows.map((row) => (isJsonObject(row) ? row : { value: row ?? null }))
  return {
    from: () => sql`jsonb_array_elements(${bindJson(objects)}) with ordinality as ${sql.ref(alias)} (value, n)`,
    conditions: [],
    row: { kind: 'json', sql: sql`${sql.ref(`${alias}.value`)}` },
    order: [{ sql: sql`${sql.ref(`${alias}.n`)}` }],
  }
}

/** Arguments of a compilable that is read. Throws 400 that names it. */
function parseInnerArguments(pipeline: PipelineDefinition, id: string, values: ArgumentValues): ArgumentValues {
  try {
    return parseKnownArguments(pipeline, values)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw badRequestProblem('', `passes an argument that the compilable ${id} does not accept: ${error.detail}`)
  }
}

/** Environment of a compilable that is read as a source. */
export async function createInnerEnvironment(
  { id, arguments: innerValues }: PipelineSourceOf<'compilable'>,
  environment: PipelineEnvironment,
): Promise<{ pipeline: PipelineDefinition; environment: PipelineEnvironment }> {
  const pipeline = environment.used.get(id!) as PipelineDefinition
  const values: Record<string, unknown> = {}
  for (const [name, argumentExpression] of Object.entries(innerValues ?? {}))
    values[name] = await environment.evaluate(argumentExpression, environment)
  return {
    pipeline,
    environment: { ...environment, arguments: parseInnerArguments(pipeline, id!, values), isInner: true },
  }
}

/** Translates a pipeline wholly. */
export type TranslatePipeline = (pipeline: PipelineDefinition, environment: PipelineEnvironment) => Promise<RowRelation>

/** The rows of a source that the database gives. */
export async function createSourceRelation(
  source: PipelineSource,
  environment: PipelineEnvironment,
  translateAll: TranslatePipeline,
): Promise<RowRelation> {
  switch (source.type) {
    case 'targets':
      return createContactRelation(environment.shape)
    case 'segment':
      return createSegmentRelation(source, environment)
    case 'events':
      return createEventsRelation(source, environment)
    case 'valueList':
      return createValueListRelation(source, environment)
    case 'inline':
      return createInlineRelation(source, environment)
    case 'compilable': {
      const innerEnvironment = await createInnerEnvironment(source, environment)
      return translateAll(innerEnvironment.pipeline, innerEnvironment.environment)
    }
  }
}
