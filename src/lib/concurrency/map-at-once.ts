/**
 * Works on items with at most `atOnce` at the same time, starting in their order; returns the results in that order. If one fails, no
 * other is started, and those that are running are awaited.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  const pendingEntries = items.entries()
  const failures: unknown[] = []
  async function workEntries(): Promise<void> {
    for (const [index, item] of pendingEntries) {
      try {
        results[index] = await work(item, index)
      } catch (error) {
        failures.push(error)
      }
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workEntries))
  if (failures.length > 0) throw failures[0]
  return results
}
