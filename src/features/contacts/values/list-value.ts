import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import type { ValueList } from '../fields/value-list-schemas.ts'
import { formatPlainNumber } from './number-text.ts'

/** A value list prepared for reading and showing values of contacts, which hold indexes. */
export interface LabelIndex {
  /** The index of a label, whatever its case; of a number: the label that reads so, else the index. */
  find(value: unknown): number | undefined
  /** The label of an index in the list's own spelling; undefined when the list has no such index. */
  label(index: number): string | undefined
  /** The labels of several indexes, in the list's order. */
  labels(indexes: readonly number[]): string[]
}

/** Prepares a value list whose values are in the list's order. */
export function buildLabelIndex(list: ValueList): LabelIndex {
  const indexesByText = new Map(list.values.map(({ index, value }) => [foldUnicodeCase(value), index]))
  const labelsByIndex = new Map(list.values.map(({ index, value }, rank) => [index, { value, rank }]))
  return {
    find(value) {
      if (typeof value === 'string') return indexesByText.get(foldUnicodeCase(value.trim().normalize('NFC')))
      if (typeof value !== 'number') return undefined
      return indexesByText.get(formatPlainNumber(value)) ?? (labelsByIndex.has(value) ? value : undefined)
    },
    label: (index) => labelsByIndex.get(index)?.value,
    labels: (indexes) =>
      indexes
        .flatMap((index) => labelsByIndex.get(index) ?? [])
        .sort((a, b) => a.rank - b.rank)
        .map(({ value }) => value),
  }
}
