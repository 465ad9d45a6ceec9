import type { PipelineCursor, PipelineCursorOf } from '../definition/cursors.ts'
import { compareRowValues, type PipelineRow, toEqualityText } from '../values/values.ts'
import { batchRows, mapEachRow, mapRowBatches, type RowBatches, type RowTransform } from './batches.ts'
import { compileRowCondition, type FilterScope } from './filter.ts'
import { groupRows } from './group.ts'
import type { RowMemory } from './held.ts'
import { compileRowExpression, type MemoryScope } from './scope.ts'

/** What cursors work with. */
export interface CursorScope extends FilterScope {
  held: RowMemory
  /** All rows of the source of a join. */
  sourceRows(cursor: PipelineCursorOf<'join'>): RowBatches
  /** The number of rows that a limit gives. */
  countOf(given: PipelineCursorOf<'limit'>['count']): Promise<number | null>
  /** Rows go through a script of the author's, batch by batch. */
  script(cursor: PipelineCursorOf<'script'>): RowTransform
}

function filterRows({ condition }: PipelineCursorOf<'filter'>, scope: CursorScope): RowTransform {
  const fits = compileRowCondition(condition!, scope)
  return mapRowBatches(async (rows) => {
    const which = await fits(rows)
    return rows.filter((_, nth) => which[nth])
  })
}

function mapRows({ fields, keep }: PipelineCursorOf<'map'>, scope: MemoryScope): RowTransform {
  const named = Object.entries(fields!).map(([name, one]) => ({ name, evaluate: compileRowExpression(one, scope) }))
  return mapEachRow(async (rows) => {
    const columns = await Promise.all(named.map(({ evaluate }) => evaluate(rows)))
    return rows.map((row, nth) => {
      const made = Object.fromEntries(named.map(({ name }, index) => [name, columns[index]![nth] ?? null]))
      return keep ? { ...row, ...made } : made
    })
  })
}

function sortRows({ by }: PipelineCursorOf<'sort'>, scope: CursorScope): RowTransform {
  const keys = by.map(({ value, direction, nulls }) => ({
    ...{
      evaluate: compileRowExpression(value!, scope),
      sign: direction === 'desc' ? -1 : 1,
      nulls: nulls === 'first' ? -1 : 1,
    },
  }))
  type Keyed = { row: PipelineRow; values: readonly unknown[] }
  function compare({ values: one }: Keyed, { values: other }: Keyed): number {
    for (const [nth, { sign, nulls }] of keys.entries()) {
      const [first, second] = [one[nth] ?? null, other[nth] ?? null]
      const order =
        first === null || second === null
          ? first === second
            ? 0
            : first === null
              ? nulls
              : -nulls
          : sign * compareRowValues(first, second)
      if (order !== 0) return order
    }
    return 0
  }
  return async function* (batches) {
    const all: Keyed[] = []
    for await (const { rows } of batches) {
      const columns = await Promise.all(keys.map(({ evaluate }) => evaluate(rows)))
      for (const [nth, row] of rows.entries()) {
        scope.held.take(row)
        all.push({ row, values: columns.map((column) => column[nth]) })
      }
    }
    yield* batchRows(all.sort(compare).map(({ row }) => row))
  }
}

function distinctRows({ by }: PipelineCursorOf<'distinct'>, scope: CursorScope): RowTransform {
  const keys = by.map((one) => compileRowExpression(one, scope))
  const seen = new Set<string>()
  return mapRowBatches(async (rows) => {
    const columns = await Promise.all(keys.map((evaluate) => evaluate(rows)))
    return rows.filter((_, nth) => {
      const key = toEqualityText(columns.map((column) => column[nth] ?? null))
      if (seen.has(key)) return false
      scope.held.take(key)
      seen.add(key)
      return true
    })
  })
}

/** Reads no further than it has to. */
function limitRows({ count, offset }: PipelineCursorOf<'limit'>, scope: CursorScope): RowTransform {
  return async function* (batches) {
    let [left, skipped] = [await scope.countOf(count), (await scope.countOf(offset)) ?? 0]
    if (left === 0) return
    for await (const { rows, more } of batches) {
      const rest = rows.slice(skipped)
      skipped = Math.max(0, skipped - rows.length)
      const taken = left === null ? rest : rest.slice(0, left)
      if (left !== null) left -= taken.length
      if (taken.length > 0) yield { rows: taken, more: left === 0 ? 'no' : more }
      if (left === 0) return
    }
  }
}

function expandRows({ value, into }: PipelineCursorOf<'expand'>, scope: MemoryScope): RowTransform {
  const evaluate = compileRowExpression(value!, scope)
  return mapRowBatches(async (rows) => {
    const lists = await evaluate(rows)
    return rows.flatMap((row, nth) => {
      const list = lists[nth]
      return Array.isArray(list) ? list.map((element) => ({ ...row, [into!]: element ?? null })) : []
    })
  })
}

function joinRows(cursor: PipelineCursorOf<'join'>, scope: CursorScope): RowTransform {
  const { on, into, kind, many } = cursor
  const [left, right] = [compileRowExpression(on!.left!, scope), compileRowExpression(on!.right!, scope, 'other')]

  async function load(): Promise<Map<string, PipelineRow[]>> {
    const found = new Map<string, PipelineRow[]>()
    for await (const { rows } of scope.sourceRows(cursor)) {
      const keys = await right(rows)
      for (const [nth, row] of rows.entries()) {
        const value = keys[nth] ?? null
        const key = toEqualityText(value)
        const known = found.get(key)
        if (value === null || (known && !many)) continue
        scope.held.take(row)
        if (known) known.push(row)
        else found.set(key, [row])
      }
    }
    return found
  }

  return async function* (batches) {
    // All of it before the first row of the others is read.
    const others = await load()
    yield* mapRowBatches(async (rows) => {
      const keys = await left(rows)
      return rows.flatMap((row, nth) => {
        const own = others.get(toEqualityText(keys[nth] ?? null)) ?? []
        if (kind === 'inner' && own.length === 0) return []
        return [{ ...row, [into!]: many ? own : (own[0] ?? null) }]
      })
    })(batches)
  }
}

/** What a cursor makes of rows in memory. */
export function compileCursor(cursor: PipelineCursor, scope: CursorScope): RowTransform {
  switch (cursor.type) {
    case 'filter':
      return filterRows(cursor, scope)
    case 'map':
      return mapRows(cursor, scope)
    case 'sort':
      return sortRows(cursor, scope)
    case 'distinct':
      return distinctRows(cursor, scope)
    case 'limit':
      return limitRows(cursor, scope)
    case 'group':
      return groupRows(cursor, scope, scope.held)
    case 'join':
      return joinRows(cursor, scope)
    case 'expand':
      return expandRows(cursor, scope)
    case 'script':
      return scope.script(cursor)
  }
}
