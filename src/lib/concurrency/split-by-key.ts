/** Parts in which no key is repeated, in order: items of one key follow each other. */
export function splitByRepeatedKey<T>(items: readonly T[], keyOf: (item: T) => unknown): T[][] {
  const occurrences = new Map<unknown, number>()
  const turns: T[][] = []
  for (const item of items) {
    const key = keyOf(item)
    const turnIndex = occurrences.get(key) ?? 0
    occurrences.set(key, turnIndex + 1)
    ;(turns[turnIndex] ??= []).push(item)
  }
  return turns
}
