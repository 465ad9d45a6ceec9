import type { CursorAggregate, PipelineCursorOf } from '../definition/cursors.ts'
import { compareRowValues, type PipelineRow, toEqualityText } from '../values/values.ts'
import { batchRows, type RowBatches, type RowTransform } from './batches.ts'
import type { RowMemory } from './held.ts'
import { compileRowExpression, type MemoryScope } from './scope.ts'
import { createCompensatedSum } from './sums.ts'

/** Values that a list holds at most: the first ones. */
const MAX_LISTED_VALUES = 1000

/** Running aggregate of the values of a group. */
interface Accumulator {
  add(value: unknown): void
  result(): unknown
}

function createExtreme(sign: 1 | -1): Accumulator {
  let extremeValue: unknown = null
  return {
    add(value) {
      if (value !== null && (extremeValue === null || sign * compareRowValues(value, extremeValue) < 0))
        extremeValue = value
    },
    result: () => extremeValue,
  }
}

function createDistinctCounter(rowMemory: RowMemory): Accumulator {
  const distinctKeys = new Set<string>()
  return {
    add(value) {
      if (value === null) return
      const key = toEqualityText(value)
      if (distinctKeys.has(key)) return
      rowMemory.take(key)
      distinctKeys.add(key)
    },
    result: () => distinctKeys.size,
  }
}

function createList(rowMemory: RowMemory): Accumulator {
  const values: unknown[] = []
  return {
    add(value) {
      if (values.length === MAX_LISTED_VALUES) return
      rowMemory.take(value)
      values.push(value)
    },
    result: () => values,
  }
}

function createEdgeValue(isFirst: boolean): Accumulator {
  let edgeValue: { value: unknown } | undefined
  return {
    add(value) {
      if (!edgeValue || !isFirst) edgeValue = { value }
    },
    result: () => edgeValue?.value ?? null,
  }
}

function createCounter(counts: (value: unknown) => boolean): Accumulator {
  let count = 0
  return {
    add(value) {
      if (counts(value)) count++
    },
    result: () => count,
  }
}

function createAccumulator({ function: name, value }: CursorAggregate, rowMemory: RowMemory): Accumulator {
  switch (name) {
    case 'countDistinct':
      return createDistinctCounter(rowMemory)
    case 'sum': {
      const { add, sum } = createCompensatedSum()
      return { add, result: sum }
    }
    case 'avg': {
      const { add, average } = createCompensatedSum()
      return { add, result: average }
    }
    case 'min':
      return createExtreme(1)
    case 'max':
      return createExtreme(-1)
    case 'first':
      return createEdgeValue(true)
    case 'last':
      return createEdgeValue(false)
    case 'list':
      return createList(rowMemory)
    default:
      return createCounter(value === null ? () => true : (candidate) => candidate !== null)
  }
}

interface RowGroup {
  keys: readonly unknown[]
  accumulators: readonly Accumulator[]
}

/** One row for each group, in the order of their first rows. */
export function groupRows(
  { by, aggregates }: PipelineCursorOf<'group'>,
  scope: MemoryScope,
  rowMemory: RowMemory,
): RowTransform {
  const keys = Object.entries(by).map(([name, keyExpression]) => ({
    name,
    evaluate: compileRowExpression(keyExpression, scope),
  }))
  const values = Object.entries(aggregates).map(([name, keyExpression]) => ({
    name,
    one: keyExpression,
    evaluate: keyExpression.value && compileRowExpression(keyExpression.value, scope),
  }))
  const createGroup = (groupKeys: readonly unknown[]): RowGroup => ({
    keys: groupKeys,
    accumulators: values.map(({ one: aggregate }) => createAccumulator(aggregate, rowMemory)),
  })
  const toGroupRow = ({ keys: groupKeys, accumulators }: RowGroup): PipelineRow =>
    Object.fromEntries([
      ...keys.map(({ name }, nth) => [name, groupKeys[nth]] as const),
      ...values.map(({ name }, nth) => [name, accumulators[nth]!.result()] as const),
    ])

  async function addRows(groups: Map<string, RowGroup>, rows: readonly PipelineRow[]): Promise<void> {
    const keyColumns = await Promise.all(keys.map(({ evaluate }) => evaluate(rows)))
    const valueColumns = await Promise.all(values.map(({ evaluate }) => evaluate?.(rows) ?? []))
    for (const rowIndex of rows.keys()) {
      const rowKeys = keyColumns.map((column) => column[rowIndex] ?? null)
      const key = toEqualityText(rowKeys)
      let group = groups.get(key)
      if (!group) {
        rowMemory.take(rowKeys)
        groups.set(key, (group = createGroup(rowKeys)))
      }
      for (const [index, groupAccumulator] of group.accumulators.entries())
        groupAccumulator.add(valueColumns[index]![rowIndex] ?? null)
    }
  }

  return async function* (batches: RowBatches) {
    // Without keys all rows are one group, also where there are none.
    const groups = new Map<string, RowGroup>(keys.length === 0 ? [[toEqualityText([]), createGroup([])]] : [])
    for await (const { rows } of batches) await addRows(groups, rows)
    yield* batchRows([...groups.values()].map(toGroupRow))
  }
}
