import type { CursorAggregate, PipelineCursorOf } from '../definition/cursors.ts'
import { compareRowValues, type PipelineRow, toEqualityText } from '../values/values.ts'
import { batchRows, type RowBatches, type RowTransform } from './batches.ts'
import type { RowMemory } from './held.ts'
import { compileRowExpression, type MemoryScope } from './scope.ts'
import { createCompensatedSum } from './sums.ts'

/** Values that a list holds at most: the first ones. */
const MAX_LISTED = 1000

/** What becomes of the values of a group. */
interface Accumulator {
  add(value: unknown): void
  result(): unknown
}

function extreme(sign: 1 | -1): Accumulator {
  let found: unknown = null
  return {
    add(value) {
      if (value !== null && (found === null || sign * compareRowValues(value, found) < 0)) found = value
    },
    result: () => found,
  }
}

function distinct(held: RowMemory): Accumulator {
  const keys = new Set<string>()
  return {
    add(value) {
      if (value === null) return
      const key = toEqualityText(value)
      if (keys.has(key)) return
      held.take(key)
      keys.add(key)
    },
    result: () => keys.size,
  }
}

function list(held: RowMemory): Accumulator {
  const values: unknown[] = []
  return {
    add(value) {
      if (values.length === MAX_LISTED) return
      held.take(value)
      values.push(value)
    },
    result: () => values,
  }
}

function kept(isFirst: boolean): Accumulator {
  let found: { value: unknown } | undefined
  return {
    add(value) {
      if (!found || !isFirst) found = { value }
    },
    result: () => found?.value ?? null,
  }
}

function counter(counts: (value: unknown) => boolean): Accumulator {
  let count = 0
  return {
    add(value) {
      if (counts(value)) count++
    },
    result: () => count,
  }
}

function accumulator({ function: name, value }: CursorAggregate, held: RowMemory): Accumulator {
  switch (name) {
    case 'countDistinct':
      return distinct(held)
    case 'sum': {
      const { add, sum } = createCompensatedSum()
      return { add, result: sum }
    }
    case 'avg': {
      const { add, average } = createCompensatedSum()
      return { add, result: average }
    }
    case 'min':
      return extreme(1)
    case 'max':
      return extreme(-1)
    case 'first':
      return kept(true)
    case 'last':
      return kept(false)
    case 'list':
      return list(held)
    default:
      return counter(value === null ? () => true : (one) => one !== null)
  }
}

interface Group {
  keys: readonly unknown[]
  accumulators: readonly Accumulator[]
}

/** One row for each group, in the order of their first rows. */
export function groupRows(
  { by, aggregates }: PipelineCursorOf<'group'>,
  scope: MemoryScope,
  held: RowMemory,
): RowTransform {
  const keys = Object.entries(by).map(([name, one]) => ({ name, evaluate: compileRowExpression(one, scope) }))
  const values = Object.entries(aggregates).map(([name, one]) => ({
    ...{ name, one, evaluate: one.value && compileRowExpression(one.value, scope) },
  }))
  const newGroup = (own: readonly unknown[]): Group => ({
    keys: own,
    accumulators: values.map(({ one }) => accumulator(one, held)),
  })
  const rowOf = ({ keys: own, accumulators }: Group): PipelineRow =>
    Object.fromEntries([
      ...keys.map(({ name }, nth) => [name, own[nth]] as const),
      ...values.map(({ name }, nth) => [name, accumulators[nth]!.result()] as const),
    ])

  async function add(groups: Map<string, Group>, rows: readonly PipelineRow[]): Promise<void> {
    const found = await Promise.all(keys.map(({ evaluate }) => evaluate(rows)))
    const given = await Promise.all(values.map(({ evaluate }) => evaluate?.(rows) ?? []))
    for (const nth of rows.keys()) {
      const own = found.map((column) => column[nth] ?? null)
      const key = toEqualityText(own)
      let group = groups.get(key)
      if (!group) {
        held.take(own)
        groups.set(key, (group = newGroup(own)))
      }
      for (const [index, one] of group.accumulators.entries()) one.add(given[index]![nth] ?? null)
    }
  }

  return async function* (batches: RowBatches) {
    // Without keys all rows are one group, also where there are none.
    const groups = new Map<string, Group>(keys.length === 0 ? [[toEqualityText([]), newGroup([])]] : [])
    for await (const { rows } of batches) await add(groups, rows)
    yield* batchRows([...groups.values()].map(rowOf))
  }
}
