import type { PipelineCursor, PipelineCursorOf } from '../definition/cursors.ts'
import { compareRowValues, type PipelineRow, toEqualityText } from '../values/values.ts'
import { batchRows, mapEachRow, mapRowBatches, type RowBatches, type RowTransform } from './batches.ts'
import { compileRowCondition, type FilterScope } from './filter.ts'
import { groupRows } from './group.ts'
import type { RowMemory } from './held.ts'
import { compileRowExpression, type MemoryScope } from './scope.ts'

/** Context of cursors. */
export interface CursorScope extends FilterScope {
  held: RowMemory
  /** All rows of the source of a join. */
  sourceRows(cursor: PipelineCursorOf<'join'>): RowBatches
  /** The number of rows that a limit gives. */
  countOf(countExpression: PipelineCursorOf<'limit'>['count']): Promise<number | null>
  /** Rows go through a script of the author's, batch by batch. */
  script(cursor: PipelineCursorOf<'script'>): RowTransform
}

function filterRows({ condition }: PipelineCursorOf<'filter'>, scope: CursorScope): RowTransform {
  const matchesCondition = compileRowCondition(condition!, scope)
  return mapRowBatches(async (rows) => {
    const matchFlags = await matchesCondition(rows)
    return rows.filter((_, nth) => matchFlags[nth])
  })
}

function mapRows({ fields, keep }: PipelineCursorOf<'map'>, scope: MemoryScope): RowTransform {
  const fieldEvaluators = Object.entries(fields!).map(([name, fieldExpression]) => ({
    name,
    evaluate: compileRowExpression(fieldExpression, scope),
  }))
  return mapEachRow(async (rows) => {
    const columns = await Promise.all(fieldEvaluators.map(({ evaluate }) => evaluate(rows)))
    return rows.map((row, nth) => {
      const newMembers = Object.fromEntries(
        fieldEvaluators.map(({ name }, index) => [name, columns[index]![nth] ?? null]),
      )
      return keep ? { ...row, ...newMembers } : newMembers
    })
  })
}

function sortRows({ by }: PipelineCursorOf<'sort'>, scope: CursorScope): RowTransform {
  const keys = by.map(({ value, direction, nulls }) => ({
    evaluate: compileRowExpression(value!, scope),
    sign: direction === 'desc' ? -1 : 1,
    nulls: nulls === 'first' ? -1 : 1,
  }))
  type KeyedRow = { row: PipelineRow; values: readonly unknown[] }
  function compareRows({ values: firstValues }: KeyedRow, { values: secondValues }: KeyedRow): number {
    for (const [keyIndex, { sign, nulls }] of keys.entries()) {
      const [firstValue, secondValue] = [firstValues[keyIndex] ?? null, secondValues[keyIndex] ?? null]
      const comparison =
        firstValue === null || secondValue === null
          ? firstValue === secondValue
            ? 0
            : firstValue === null
              ? nulls
              : -nulls
          : sign * compareRowValues(firstValue, secondValue)
      if (comparison !== 0) return comparison
    }
    return 0
  }
  return async function* (batches) {
    const keyedRows: KeyedRow[] = []
    for await (const { rows } of batches) {
      const columns = await Promise.all(keys.map(({ evaluate }) => evaluate(rows)))
      for (const [rowIndex, row] of rows.entries()) {
        scope.held.take(row)
        keyedRows.push({ row, values: columns.map((column) => column[rowIndex]) })
      }
    }
    yield* batchRows(keyedRows.sort(compareRows).map(({ row }) => row))
  }
}

function distinctRows({ by }: PipelineCursorOf<'distinct'>, scope: CursorScope): RowTransform {
  const keys = by.map((keyExpression) => compileRowExpression(keyExpression, scope))
  const seenKeys = new Set<string>()
  return mapRowBatches(async (rows) => {
    const columns = await Promise.all(keys.map((evaluate) => evaluate(rows)))
    return rows.filter((_, nth) => {
      const key = toEqualityText(columns.map((column) => column[nth] ?? null))
      if (seenKeys.has(key)) return false
      scope.held.take(key)
      seenKeys.add(key)
      return true
    })
  })
}

/** Reads no further than it has to. */
function limitRows({ count, offset }: PipelineCursorOf<'limit'>, scope: CursorScope): RowTransform {
  return async function* (batches) {
    let [remainingCount, remainingOffset] = [await scope.countOf(count), (await scope.countOf(offset)) ?? 0]
    if (remainingCount === 0) return
    for await (const { rows, more: moreState } of batches) {
      const unskippedRows = rows.slice(remainingOffset)
      remainingOffset = Math.max(0, remainingOffset - rows.length)
      const limitedRows = remainingCount === null ? unskippedRows : unskippedRows.slice(0, remainingCount)
      if (remainingCount !== null) remainingCount -= limitedRows.length
      if (limitedRows.length > 0) yield { rows: limitedRows, more: remainingCount === 0 ? 'no' : moreState }
      if (remainingCount === 0) return
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
  const { on: joinKeys, into, kind, many } = cursor
  const [evaluateLeft, evaluateRight] = [
    compileRowExpression(joinKeys!.left!, scope),
    compileRowExpression(joinKeys!.right!, scope, 'other'),
  ]

  async function loadOtherRows(): Promise<Map<string, PipelineRow[]>> {
    const rowsByKey = new Map<string, PipelineRow[]>()
    for await (const { rows } of scope.sourceRows(cursor)) {
      const keys = await evaluateRight(rows)
      for (const [rowIndex, row] of rows.entries()) {
        const value = keys[rowIndex] ?? null
        const key = toEqualityText(value)
        const storedRows = rowsByKey.get(key)
        if (value === null || (storedRows && !many)) continue
        scope.held.take(row)
        if (storedRows) storedRows.push(row)
        else rowsByKey.set(key, [row])
      }
    }
    return rowsByKey
  }

  return async function* (batches) {
    // All of it before the first row of the others is read.
    const otherRows = await loadOtherRows()
    yield* mapRowBatches(async (rows) => {
      const keys = await evaluateLeft(rows)
      return rows.flatMap((row, nth) => {
        const matchingRows = otherRows.get(toEqualityText(keys[nth] ?? null)) ?? []
        if (kind === 'inner' && matchingRows.length === 0) return []
        return [{ ...row, [into!]: many ? matchingRows : (matchingRows[0] ?? null) }]
      })
    })(batches)
  }
}

/** Compiles a cursor into a transformation of rows in memory. */
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
