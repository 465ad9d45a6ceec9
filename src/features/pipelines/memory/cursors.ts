import type { Cursor, CursorOf } from '../definition/cursors.ts'
import { compareValues, keyOf, type Row } from '../values/values.ts'
import { type Batches, eachRow, inBatches, someRows, type Transform } from './batches.ts'
import { conditionFits, type FilterScope } from './filter.ts'
import { groupRows } from './group.ts'
import type { Held } from './held.ts'
import { evaluator, type MemoryScope } from './scope.ts'

/** What cursors work with. */
export interface CursorScope extends FilterScope {
  held: Held
  /** All rows of the source of a join. */
  sourceRows(cursor: CursorOf<'join'>): Batches
  /** The number of rows that a limit gives. */
  countOf(given: CursorOf<'limit'>['count']): Promise<number | null>
  /** Rows go through a script of the author's, batch by batch. */
  script(cursor: CursorOf<'script'>): Transform
}

function filterRows({ condition }: CursorOf<'filter'>, scope: CursorScope): Transform {
  const fits = conditionFits(condition!, scope)
  return someRows(async (rows) => {
    const which = await fits(rows)
    return rows.filter((_, nth) => which[nth])
  })
}

function mapRows({ fields, keep }: CursorOf<'map'>, scope: MemoryScope): Transform {
  const named = Object.entries(fields!).map(([name, one]) => ({ name, evaluate: evaluator(one, scope) }))
  return eachRow(async (rows) => {
    const columns = await Promise.all(named.map(({ evaluate }) => evaluate(rows)))
    return rows.map((row, nth) => {
      const made = Object.fromEntries(named.map(({ name }, index) => [name, columns[index]![nth] ?? null]))
      return keep ? { ...row, ...made } : made
    })
  })
}

function sortRows({ by }: CursorOf<'sort'>, scope: CursorScope): Transform {
  const keys = by.map(({ value, direction, nulls }) => ({
    ...{ evaluate: evaluator(value!, scope), sign: direction === 'desc' ? -1 : 1, nulls: nulls === 'first' ? -1 : 1 },
  }))
  type Keyed = { row: Row; values: readonly unknown[] }
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
          : sign * compareValues(first, second)
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
    yield* inBatches(all.sort(compare).map(({ row }) => row))
  }
}

function distinctRows({ by }: CursorOf<'distinct'>, scope: CursorScope): Transform {
  const keys = by.map((one) => evaluator(one, scope))
  const seen = new Set<string>()
  return someRows(async (rows) => {
    const columns = await Promise.all(keys.map((evaluate) => evaluate(rows)))
    return rows.filter((_, nth) => {
      const key = keyOf(columns.map((column) => column[nth] ?? null))
      if (seen.has(key)) return false
      scope.held.take(key)
      seen.add(key)
      return true
    })
  })
}

/** Reads no further than it has to. */
function limitRows({ count, offset }: CursorOf<'limit'>, scope: CursorScope): Transform {
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

function expandRows({ value, into }: CursorOf<'expand'>, scope: MemoryScope): Transform {
  const evaluate = evaluator(value!, scope)
  return someRows(async (rows) => {
    const lists = await evaluate(rows)
    return rows.flatMap((row, nth) => {
      const list = lists[nth]
      return Array.isArray(list) ? list.map((element) => ({ ...row, [into!]: element ?? null })) : []
    })
  })
}

function joinRows(cursor: CursorOf<'join'>, scope: CursorScope): Transform {
  const { on, into, kind, many } = cursor
  const [left, right] = [evaluator(on!.left!, scope), evaluator(on!.right!, scope, 'other')]

  async function load(): Promise<Map<string, Row[]>> {
    const found = new Map<string, Row[]>()
    for await (const { rows } of scope.sourceRows(cursor)) {
      const keys = await right(rows)
      for (const [nth, row] of rows.entries()) {
        const value = keys[nth] ?? null
        const key = keyOf(value)
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
    yield* someRows(async (rows) => {
      const keys = await left(rows)
      return rows.flatMap((row, nth) => {
        const own = others.get(keyOf(keys[nth] ?? null)) ?? []
        if (kind === 'inner' && own.length === 0) return []
        return [{ ...row, [into!]: many ? own : (own[0] ?? null) }]
      })
    })(batches)
  }
}

/** What a cursor makes of rows in memory. */
export function transformOf(cursor: Cursor, scope: CursorScope): Transform {
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
