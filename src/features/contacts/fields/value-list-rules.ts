import { conflictProblem, invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import { isLongerThan, normalizeFieldText } from '../values/text-value.ts'
import type { ValueListLabel, ValueListLabelBody } from './value-list-schemas.ts'

const LONGEST_LABEL = 255

/** The labels a list will have, in the order given, and the next index it gives out. */
export interface PlannedLabels {
  labels: ValueListLabel[]
  nextIndex: number
}

function readLabel(given: string): string | undefined {
  const label = normalizeFieldText(given, false)
  return label === '' || label === undefined || isLongerThan(label, LONGEST_LABEL) ? undefined : label
}

function cleaned(given: readonly ValueListLabelBody[]): { index: number | undefined; value: string }[] {
  const faults: ProblemFault[] = []
  const indexes = new Set<number>()
  const labels = given.map(({ index, value }, place) => {
    const label = readLabel(value)
    if (label === undefined) {
      faults.push({ pointer: `/values/${place}/value`, detail: `must have 1 to ${LONGEST_LABEL} printable characters` })
    }
    if (index && indexes.has(index)) faults.push({ pointer: `/values/${place}/index`, detail: 'is given twice' })
    if (index) indexes.add(index)
    return { index: index || undefined, value: label ?? '' }
  })
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return labels
}

function refuseSameLabels(labels: readonly { value: string }[]): void {
  const seen = new Set<string>()
  for (const { value } of labels) {
    const folded = foldUnicodeCase(value)
    if (seen.has(folded)) throw conflictProblem('label-taken', `The label "${value}" is given twice, case set aside.`)
    seen.add(folded)
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
  given: readonly ValueListLabelBody[],
  { labels: stored, nextIndex, wasUsed }: StoredLabels,
): PlannedLabels {
  const labels = cleaned(given)
  refuseSameLabels(labels)
  const known = new Set(stored.map(({ index }) => index))
  const claimed = new Set(labels.flatMap(({ index }) => index ?? []))
  const byLabel = new Map(stored.map(({ index, value }) => [foldUnicodeCase(value), index]))
  const usedUp = labels.findIndex(({ index }) => index !== undefined && wasUsed(index) && !known.has(index))
  if (usedUp >= 0) {
    throw invalidRequestProblem([
      { pointer: `/values/${usedUp}/index`, detail: 'was used before: leave it out to get a new one' },
    ])
  }
  let next = Math.max(nextIndex, ...[...claimed].map((index) => index + 1))
  const planned = labels.map(({ index, value }) => {
    const same = byLabel.get(foldUnicodeCase(value))
    return { index: index ?? (same !== undefined && !claimed.has(same) ? same : next++), value }
  })
  return { labels: planned, nextIndex: next }
}
