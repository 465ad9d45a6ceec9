/** Work on single things that is done for many of them at once. */
export interface GroupCommit<Item, Result> {
  /** Resolves with what came of the item when its group was kept; rejects with its error, or with that of the group. */
  add(item: Item): Promise<Result>
  /** Resolves when nothing waits and nothing is being kept. */
  idle(): Promise<void>
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** How groups are made. */
export interface Grouping {
  /** Items in a group at most. */
  most: number
  /** Groups under way at most. */
  atOnce: number
  /** Milliseconds a group waits at most until it is as large as the one before. None by default. */
  gatherMs?: number
}

/**
 * Keeps what comes in groups: what comes within one turn of the event loop goes together, and so does what gathers while
 * all groups are under way. With `gatherMs` a group also waits for its like: callers that were answered together come
 * back one by one, and one alone waits for nobody. `keep` gives what came of each item, in their order: a result, or
 * the error of that item alone.
 */
export function groupCommit<Item, Result extends object>(
  keep: (items: Item[]) => Promise<readonly (Result | Error)[]>,
  { most, atOnce, gatherMs = 0 }: Grouping,
): GroupCommit<Item, Result> {
  const waiting: Waiting<Item, Result>[] = []
  const resting: (() => void)[] = []
  let underWay = 0
  let expected = 1
  let turn: NodeJS.Immediate | undefined
  let deadline: NodeJS.Timeout | undefined

  async function keepGroup(group: Waiting<Item, Result>[]): Promise<void> {
    underWay++
    if (gatherMs > 0) expected = group.length
    try {
      const outcomes = await keep(group.map(({ item }) => item))
      for (const [place, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[place]
        if (outcome === undefined || outcome instanceof Error)
          reject(outcome ?? new Error('An item of a group is lost.'))
        else resolve(outcome)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    underWay--
    if (waiting.length >= expected) dispatch()
    else schedule()
    if (underWay === 0 && waiting.length === 0) for (const rest of resting.splice(0)) rest()
  }

  function dispatch(): void {
    clearImmediate(turn)
    clearTimeout(deadline)
    turn = deadline = undefined
    while (waiting.length > 0 && underWay < atOnce) void keepGroup(waiting.splice(0, most))
  }

  function schedule(): void {
    if (waiting.length === 0 || underWay >= atOnce) return
    if (waiting.length >= expected) turn ??= setImmediate(dispatch)
    else deadline ??= setTimeout(dispatch, gatherMs)
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        schedule()
      })
    },
    idle() {
      if (underWay === 0 && waiting.length === 0) return Promise.resolve()
      return new Promise((resolve) => resting.push(resolve))
    },
  }
}
