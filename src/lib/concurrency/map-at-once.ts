/**
 * Works items, so many at once, beginning in their order; gives the results in that order. When one fails no other is begun, and those
 * that are under way are waited for.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  const left = items.entries()
  const failures: unknown[] = []
  async function take(): Promise<void> {
    for (const [index, item] of left) {
      try {
        results[index] = await work(item, index)
      } catch (error) {
        failures.push(error)
      }
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, take))
  if (failures.length > 0) throw failures[0]
  return results
}
