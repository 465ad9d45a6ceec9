import { conflictProblem, invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import { isLongerThan, normalizeFieldText } from '../values/text-value.ts'
import type { ValueListLabel, ValueListLabelBody } from './value-list-schemas.ts'

const MAX_LABEL_LENGTH = 255

/** The labels a list will have, in the order given, and the next index it gives out. */
export interface PlannedLabels {
  labels: ValueListLabel[]
  nextIndex: number
}

function parseLabel(rawLabel: string): string | undefined {
  const label = normalizeFieldText(rawLabel, false)
  return label === '' || label === undefined || isLongerThan(label, MAX_LABEL_LENGTH) ? undefined : label
}

function parseLabels(labelBodies: readonly ValueListLabelBody[]): { index: number | undefined; value: string }[] {
  const faults: ProblemFault[] = []
  const indexes = new Set<number>()
  const parsedLabels = labelBodies.map(({ index, value }, place) => {
    const label = parseLabel(value)
    if (label === undefined) {
      faults.push({
        pointer: `/values/${place}/value`,
        detail: `must have 1 to ${MAX_LABEL_LENGTH} printable characters`,
      })
    }
    if (index && indexes.has(index)) faults.push({ pointer: `/values/${place}/index`, detail: 'is given twice' })
    if (index) indexes.add(index)
    return { index: index || undefined, value: label ?? '' }
  })
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return parsedLabels
}

function requireDistinctLabels(labels: readonly { value: string }[]): void {
  const foldedLabels = new Set<string>()
  for (const { value } of labels) {
    const foldedLabel = foldUnicodeCase(value)
    if (foldedLabels.has(foldedLabel))
      throw conflictProblem('label-taken', `The label "${value}" is given twice; case is ignored.`)
    foldedLabels.add(foldedLabel)
  }
}

/** A stored value list: its labels, and which indexes it ever had. */
export interface StoredLabels {
  labels: readonly ValueListLabel[]
  nextIndex: number
  wasUsed(index: number): boolean
}

/**
 * Gives every label its index: its own, else that of the stored label that reads so, else the next free one. Throws
 * 400 for an index given twice, or one of a deleted label, and conflict `label-taken`.
 */
export function planLabels(
  labelBodies: readonly ValueListLabelBody[],
  { labels: storedLabels, nextIndex, wasUsed }: StoredLabels,
): PlannedLabels {
  const labels = parseLabels(labelBodies)
  requireDistinctLabels(labels)
  const storedIndexes = new Set(storedLabels.map(({ index }) => index))
  const requestedIndexes = new Set(labels.flatMap(({ index }) => index ?? []))
  const indexesByLabel = new Map(storedLabels.map(({ index, value }) => [foldUnicodeCase(value), index]))
  const usedUpPosition = labels.findIndex(
    ({ index }) => index !== undefined && wasUsed(index) && !storedIndexes.has(index),
  )
  if (usedUpPosition >= 0) {
    throw invalidRequestProblem([
      { pointer: `/values/${usedUpPosition}/index`, detail: 'was used before; leave it out to get a new one' },
    ])
  }
  let newIndex = Math.max(nextIndex, ...[...requestedIndexes].map((index) => index + 1))
  const plannedLabels = labels.map(({ index, value }) => {
    const sameLabelIndex = indexesByLabel.get(foldUnicodeCase(value))
    return {
      index:
        index ?? (sameLabelIndex !== undefined && !requestedIndexes.has(sameLabelIndex) ? sameLabelIndex : newIndex++),
      value,
    }
  })
  return { labels: plannedLabels, nextIndex: newIndex }
}
