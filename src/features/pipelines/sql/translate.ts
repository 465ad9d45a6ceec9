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

function translateCell(
  expression: DefinitionExpression,
  { row }: RowRelation,
  environment: PipelineEnvironment,
): SqlCell {
  return translateExpression(expression, { row }, environment)
}

function createMapRelation(
  { fields, keep }: PipelineCursorOf<'map'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const namedFields = new Map(Object.entries(fields!))
  const mappedRow: ObjectSqlCell = {
    kind: 'object',
    names: [...namedFields.keys()],
    member: createLazyMembers((name) => {
      const expression = namedFields.get(name)
      return expression && translateCell(expression, relation, environment)
    }),
  }
  return { ...relation, row: keep ? addCellMembers(relation.row, mappedRow) : mappedRow }
}

function createSortRelation(
  { by }: PipelineCursorOf<'sort'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const keys = by.flatMap((key) => buildOrderKeys(translateCell(key.value!, relation, environment), key))
  return { ...relation, order: [...keys, ...relation.order] }
}

async function evaluateCount(
  countExpression: PipelineCursorOf<'limit'>['count'],
  environment: PipelineEnvironment,
): Promise<number | null> {
  return (
    isArgumentPath(countExpression) ? await environment.evaluate(countExpression, environment) : countExpression
  ) as number | null
}

async function createLimitRelation(
  { count, offset }: PipelineCursorOf<'limit'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): Promise<RowRelation> {
  const [rows, skippedCount] = [
    await evaluateCount(count, environment),
    (await evaluateCount(offset, environment)) ?? 0,
  ]
  return createSubqueryRelation(relation, environment.name, sql`limit ${rows}::bigint offset ${skippedCount}::bigint`)
}

/** The first row of each key stays. */
function createDistinctRelation(
  { by }: PipelineCursorOf<'distinct'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const cells = by.map((key) => translateCell(key, relation, environment)).filter(({ kind }) => kind !== 'constant')
  const outerRelation = createSubqueryRelation(relation, environment.name)
  const partitionClause = cells.length === 0 ? sql`` : sql`partition by ${sql.join(cells.map(buildEqualityKey))}`
  const rowNumber = outerRelation.column(
    sql`row_number() over (${partitionClause} ${buildOrderByClause(relation.order)})`,
  )
  return { ...outerRelation, conditions: [sql`${rowNumber} = 1`] }
}

function createExpandRelation(
  { value, into }: PipelineCursorOf<'expand'>,
  relation: RowRelation,
  environment: PipelineEnvironment,
): RowRelation {
  const json = cellToJsonSql(translateCell(value!, relation, environment))
  const alias = environment.name()
  const column = (name: string): SqlExpression => sql`${sql.ref(`${alias}.${name}`)}`
  const list = sql`case when jsonb_typeof(${json}) = 'array' then ${json} else '[]' end`
  const element: SqlCell = { kind: 'json', sql: sql`nullif(${column('value')}, 'null')` }
  const { unique: _, ...otherMembers } = relation
  return {
    ...otherMembers,
    from: () =>
      sql`${relation.from()} cross join lateral jsonb_array_elements(${list}) with ordinality as ${sql.ref(alias)} (value, n)`,
    row: addCellMembers(relation.row, new Map([[into!, element]])),
    order: [...relation.order, { sql: column('n') }],
  }
}

async function translateCursor(
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
      return createMapRelation(cursor, relation, environment)
    case 'sort':
      return createSortRelation(cursor, relation, environment)
    case 'limit':
      return createLimitRelation(cursor, relation, environment)
    case 'distinct':
      return createDistinctRelation(cursor, relation, environment)
    case 'group':
      return createGroupRelation(cursor, relation, environment)
    case 'join': {
      const otherRelation = await createSourceRelation(cursor.source!, environment, translatePipeline)
      return createJoinRelation(cursor, relation, otherRelation, environment)
    }
    case 'expand':
      return createExpandRelation(cursor, relation, environment)
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
  let relation = await createSourceRelation(source!, environment, translatePipeline)
  for (const cursor of cursors.slice(0, pushed)) relation = await translateCursor(cursor, relation, environment)
  return relation
}

/** A pipeline of which all can be translated. */
function translatePipeline(pipeline: PipelineDefinition, environment: PipelineEnvironment): Promise<RowRelation> {
  return translatePipelineHead(pipeline, pipeline.cursors.length, environment)
}
