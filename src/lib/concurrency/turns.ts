/** Parts in which no key is repeated, in order: items of one key follow each other. */
export function splitByRepeatedKey<T>(items: readonly T[], keyOf: (item: T) => unknown): T[][] {
  const met = new Map<unknown, number>()
  const turns: T[][] = []
  for (const item of items) {
    const key = keyOf(item)
    const turn = met.get(key) ?? 0
    met.set(key, turn + 1)
    ;(turns[turn] ??= []).push(item)
  }
  return turns
}
