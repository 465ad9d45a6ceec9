/** Collects single items and processes them in groups. */
export interface GroupCommit<Item, Result> {
  /** Resolves with the result of the item when its group is committed; rejects with its error, or with that of the group. */
  add(item: Item): Promise<Result>
  /** Resolves when no item waits and no group is under way. */
  idle(): Promise<void>
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** How items are grouped. */
export interface GroupCommitOptions {
  /** Items in a group at most. */
  most: number
  /** Groups under way at most. */
  atOnce: number
  /** Milliseconds a group waits at most until it is as large as the one before. None by default. */
  gatherMs?: number
}

/** Gives every item of a group its outcome. */
function settle<Item, Result extends object>(
  group: readonly Waiting<Item, Result>[],
  outcomes: readonly (Result | Error)[],
): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined || outcome instanceof Error) reject(outcome ?? new Error('An item of a group is lost.'))
    else resolve(outcome)
  }
}

/**
 * Commits items in groups: those of one turn of the event loop, and those that arrive while as many groups as allowed are
 * under way. With `gatherMs` a group also waits until it is as large as the one before, as callers that were answered
 * together come back one by one; a single item does not wait. `keep` gives the outcome of each item, in their order: a
 * result, or the error of that item.
 */
export function createGroupCommit<Item, Result extends object>(
  keep: (items: Item[]) => Promise<readonly (Result | Error)[]>,
  { most, atOnce, gatherMs = 0 }: GroupCommitOptions,
): GroupCommit<Item, Result> {
  const waiting: Waiting<Item, Result>[] = []
  const resting: (() => void)[] = []
  let underWay = 0
  let expected = 1
  let turn: NodeJS.Immediate | undefined
  let deadline: NodeJS.Timeout | undefined

  async function commit(group: Waiting<Item, Result>[]): Promise<void> {
    underWay++
    if (gatherMs > 0) expected = group.length
    try {
      settle(group, await keep(group.map(({ item }) => item)))
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
    while (waiting.length > 0 && underWay < atOnce) void commit(waiting.splice(0, most))
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
