import { sql } from 'kysely'
import type { Expression } from '../../../scripting/expressions/expression-types.ts'
import type { Cursor, CursorOf } from '../definition/cursors.ts'
import type { Pipeline } from '../definition/definition.ts'
import { isArgument } from '../definition/expressions.ts'
import { type Cell, lazily, type ObjectCell, type Sql, withMembers } from './cells.ts'
import { conditionSql } from './conditions.ts'
import { type Environment, expressionCell } from './environment.ts'
import { groupRelation } from './group.ts'
import { joinRelation } from './join.ts'
import { jsonOf } from './json.ts'
import { equalityKey, orderKeys } from './keys.ts'
import { nested, orderOf, type Relation } from './relation.ts'
import { sourceRelation } from './sources.ts'

function cellOf(expression: Expression, { row }: Relation, environment: Environment): Cell {
  return expressionCell(expression, { row }, environment)
}

function mapRelation({ fields, keep }: CursorOf<'map'>, relation: Relation, environment: Environment): Relation {
  const named = new Map(Object.entries(fields!))
  const made: ObjectCell = {
    ...{ kind: 'object', names: [...named.keys()] },
    member: lazily((name) => {
      const expression = named.get(name)
      return expression && cellOf(expression, relation, environment)
    }),
  }
  return { ...relation, row: keep ? withMembers(relation.row, made) : made }
}

function sortRelation({ by }: CursorOf<'sort'>, relation: Relation, environment: Environment): Relation {
  const keys = by.flatMap((key) => orderKeys(cellOf(key.value!, relation, environment), key))
  return { ...relation, order: [...keys, ...relation.order] }
}

async function countOf(given: CursorOf<'limit'>['count'], environment: Environment): Promise<number | null> {
  return (isArgument(given) ? await environment.evaluate(given, environment) : given) as number | null
}

async function limitRelation(
  { count, offset }: CursorOf<'limit'>,
  relation: Relation,
  environment: Environment,
): Promise<Relation> {
  const [rows, first] = [await countOf(count, environment), (await countOf(offset, environment)) ?? 0]
  return nested(relation, environment.name, sql`limit ${rows}::bigint offset ${first}::bigint`)
}

/** The first row of each key stays. */
function distinctRelation({ by }: CursorOf<'distinct'>, relation: Relation, environment: Environment): Relation {
  const cells = by.map((key) => cellOf(key, relation, environment)).filter(({ kind }) => kind !== 'constant')
  const outer = nested(relation, environment.name)
  const within = cells.length === 0 ? sql`` : sql`partition by ${sql.join(cells.map(equalityKey))}`
  const nth = outer.column(sql`row_number() over (${within} ${orderOf(relation.order)})`)
  return { ...outer, conditions: [sql`${nth} = 1`] }
}

function expandRelation({ value, into }: CursorOf<'expand'>, relation: Relation, environment: Environment): Relation {
  const json = jsonOf(cellOf(value!, relation, environment))
  const alias = environment.name()
  const column = (name: string): Sql => sql`${sql.ref(`${alias}.${name}`)}`
  const list = sql`case when jsonb_typeof(${json}) = 'array' then ${json} else '[]' end`
  const element: Cell = { kind: 'json', sql: sql`nullif(${column('value')}, 'null')` }
  const { unique: _, ...rest } = relation
  return {
    ...rest,
    from: () =>
      sql`${relation.from()} cross join lateral jsonb_array_elements(${list}) with ordinality as ${sql.ref(alias)} (value, n)`,
    row: withMembers(relation.row, new Map([[into!, element]])),
    order: [...relation.order, { sql: column('n') }],
  }
}

async function cursorRelation(cursor: Cursor, relation: Relation, environment: Environment): Promise<Relation> {
  switch (cursor.type) {
    case 'filter': {
      const condition = await conditionSql(cursor.condition!, relation, environment)
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
      return groupRelation(cursor, relation, environment)
    case 'join': {
      const other = await sourceRelation(cursor.source!, environment, translateAll)
      return joinRelation(cursor, relation, other, environment)
    }
    case 'expand':
      return expandRelation(cursor, relation, environment)
    case 'script':
      throw new Error('Scripts are not translated.')
  }
}

/** The source of a pipeline and its first cursors as one relation. */
export async function translate(
  { source, cursors }: Pipeline,
  pushed: number,
  environment: Environment,
): Promise<Relation> {
  let relation = await sourceRelation(source!, environment, translateAll)
  for (const cursor of cursors.slice(0, pushed)) relation = await cursorRelation(cursor, relation, environment)
  return relation
}

/** A pipeline of which all can be translated. */
function translateAll(pipeline: Pipeline, environment: Environment): Promise<Relation> {
  return translate(pipeline, pipeline.cursors.length, environment)
}
