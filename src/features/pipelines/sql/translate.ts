import { sql } from 'kysely'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import type { PipelineCursor, PipelineCursorOf } from '../definition/cursors.ts'
import type { PipelineDefinition } from '../definition/definition.ts'
import { isArgumentPath } from '../definition/expressions.ts'
import { addCellMembers, createLazyMembers, type ObjectSqlCell, type SqlCell, type SqlExpression } from './cells.ts'
import { buildConditionSql } from './conditions.ts'
import { type PipelineEnvironment, translateExpression } from './environment.ts'
import { createGroupRelation } from './group.ts'
import { createJoinRelation } from './join.ts'
import { cellToJsonSql } from './json.ts'
import { buildEqualityKey, buildOrderKeys } from './keys.ts'
import { buildOrderByClause, createSubqueryRelation, type RowRelation } from './relation.ts'
import { createSourceRelation } from './sources.ts'

function cellOf(expression: DefinitionExpression, { row }: RowRelation, environment: PipelineEnvironment): SqlCell {
  return translateExpression(expression, { row }, environment)
}

function mapRelation(
  { fields, keep }: PipelineCursorOf<'map'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const named = new Map(Object.entries(fields!))
  const made: ObjectSqlCell = {
    ...{ kind: 'object', names: [...named.keys()] },
    member: createLazyMembers((name) => {
      const expression = named.get(name)
      return expression && cellOf(expression, relation, environment)
    }),
  }
  return { ...relation, row: keep ? addCellMembers(relation.row, made) : made }
}

function sortRelation(
  { by }: PipelineCursorOf<'sort'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const keys = by.flatMap((key) => buildOrderKeys(cellOf(key.value!, relation, environment), key))
  return { ...relation, order: [...keys, ...relation.order] }
}

async function countOf(
  given: PipelineCursorOf<'limit'>['count'],
  environment: PipelineEnvironment,
): Promise<number | null> {
  return (isArgumentPath(given) ? await environment.evaluate(given, environment) : given) as number | null
}

async function limitRelation(
  { count, offset }: PipelineCursorOf<'limit'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<RowRelation> {
  const [rows, first] = [await countOf(count, environment), (await countOf(offset, environment)) ?? 0]
  return createSubqueryRelation(relation, environment.name, sql`limit ${rows}::bigint offset ${first}::bigint`)
}

/** The first row of each key stays. */
function distinctRelation(
  { by }: PipelineCursorOf<'distinct'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const cells = by.map((key) => cellOf(key, relation, environment)).filter(({ kind }) => kind !== 'constant')
  const outer = createSubqueryRelation(relation, environment.name)
  const within = cells.length === 0 ? sql`` : sql`partition by ${sql.join(cells.map(buildEqualityKey))}`
  const nth = outer.column(sql`row_number() over (${within} ${buildOrderByClause(relation.order)})`)
  return { ...outer, conditions: [sql`${nth} = 1`] }
}

function expandRelation(
  { value, into }: PipelineCursorOf<'expand'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const json = cellToJsonSql(cellOf(value!, relation, environment))
  const alias = environment.name()
  const column = (name: string): SqlExpression => sql`${sql.ref(`${alias}.${name}`)}`
  const list = sql`case when jsonb_typeof(${json}) = 'array' then ${json} else '[]' end`
  const element: SqlCell = { kind: 'json', sql: sql`nullif(${column('value')}, 'null')` }
  const { unique: _, ...rest } = relation
  return {
    ...rest,
    from: () =>
      sql`${relation.from()} cross join lateral jsonb_array_elements(${list}) with ordinality as ${sql.ref(alias)} (value, n)`,
    row: addCellMembers(relation.row, new Map([[into!, element]])),
    order: [...relation.order, { sql: column('n') }],
  }
}

async function cursorRelation(
  cursor: PipelineCursor,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<RowRelation> {
  switch (cursor.type) {
    case 'filter': {
      const condition = await buildConditionSql(cursor.condition!, relation, environment)
      return { ...relation, conditions: [...relation.conditions, condition] }
    }
    case 'map':
      return mapRelation(cursor, relation, environment)
    case 'sort':
      return sortRelation(cursor, relation, environment)
    case 'limit':
      return limitRelation(cursor, relation, environment)
    case 'distinct':
      return distinctRelation(cursor, relation, environment)
    case 'group':
      return createGroupRelation(cursor, relation, environment)
    case 'join': {
      const other = await createSourceRelation(cursor.source!, environment, translateAll)
      return createJoinRelation(cursor, relation, other, environment)
    }
    case 'expand':
      return expandRelation(cursor, relation, environment)
    case 'script':
      throw new Error('Scripts are not translated.')
  }
}

/** The source of a pipeline and its first cursors as one relation. */
export async function translatePipelineHead(
  { source, cursors }: PipelineDefinition,
  pushed: number,
  environment: PipelineEnvironment,
): Promise<RowRelation> {
  let relation = await createSourceRelation(source!, environment, translateAll)
  for (const cursor of cursors.slice(0, pushed)) relation = await cursorRelation(cursor, relation, environment)
  return relation
}

/** A pipeline of which all can be translated. */
function translateAll(pipeline: PipelineDefinition, environment: PipelineEnvironment): Promise<RowRelation> {
  return translatePipelineHead(pipeline, pipeline.cursors.length, environment)
}
