/** Work on single things that is done for many of them at once. */
export interface GroupCommit<T> {
  /** Resolves when the group that the item went with was kept; rejects with what its keeping came to. */
  add(item: T): Promise<void>
  /** Resolves when nothing waits and nothing is being kept. */
  idle(): Promise<void>
}

interface Waiting<T> {
  item: T
  resolve(): void
  reject(error: unknown): void
}

/**
 * Keeps what comes in groups of at most `most`, with at most `atOnce` groups under way. No group is waited for: what
 * comes within one turn of the event loop goes together, and while all are under way the next one gathers.
 */
export function groupCommit<T>(
  keep: (items: T[]) => Promise<void>,
  { most, atOnce }: { most: number; atOnce: number },
): GroupCommit<T> {
  const waiting: Waiting<T>[] = []
  const resting: (() => void)[] = []
  let underWay = 0
  let isScheduled = false

  async function keepGroup(group: Waiting<T>[]): Promise<void> {
    underWay++
    try {
      await keep(group.map(({ item }) => item))
      for (const { resolve } of group) resolve()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    underWay--
    dispatch()
  }

  function dispatch(): void {
    isScheduled = false
    while (waiting.length > 0 && underWay < atOnce) void keepGroup(waiting.splice(0, most))
    if (underWay === 0) for (const rest of resting.splice(0)) rest()
  }

  return {
    add(item) {
      if (!isScheduled && underWay < atOnce) {
        isScheduled = true
        setImmediate(dispatch)
      }
      return new Promise((resolve, reject) => waiting.push({ item, resolve, reject }))
    },
    idle() {
      if (underWay === 0 && waiting.length === 0) return Promise.resolve()
      return new Promise((resolve) => resting.push(resolve))
    },
  }
}
