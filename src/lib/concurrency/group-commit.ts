/** Collects single items and processes them in groups. */
export interface GroupCommit<Item, Result> {
  /** Resolves with the result of the item when its group is committed; rejects with its error, or with that of the group. */
  add(item: Item): Promise<Result>
  /** Resolves when no item waits and no group is under way. */
  idle(): Promise<void>
}

interface WaitingItem<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** The grouping of items. */
export interface GroupCommitOptions {
  /** Items in a group at most. */
  most: number
  /** Groups under way at most. */
  atOnce: number
  /** Milliseconds a group waits at most until it is as large as the one before. None by default. */
  gatherMs?: number
}

/** Gives every item of a group its outcome. */
function resolveGroup<Item, Result extends object>(
  group: readonly WaitingItem<Item, Result>[],
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
  const waitingItems: WaitingItem<Item, Result>[] = []
  const idleWaiters: (() => void)[] = []
  let runningGroups = 0
  let lastGroupSize = 1
  let nextTurn: NodeJS.Immediate | undefined
  let gatherTimer: NodeJS.Timeout | undefined

  async function commitGroup(group: WaitingItem<Item, Result>[]): Promise<void> {
    runningGroups++
    if (gatherMs > 0) lastGroupSize = group.length
    try {
      resolveGroup(group, await keep(group.map(({ item }) => item)))
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
    runningGroups--
    if (waitingItems.length >= lastGroupSize) dispatchGroups()
    else scheduleDispatch()
    if (runningGroups === 0 && waitingItems.length === 0) for (const resolveIdle of idleWaiters.splice(0)) resolveIdle()
  }

  function dispatchGroups(): void {
    clearImmediate(nextTurn)
    clearTimeout(gatherTimer)
    nextTurn = gatherTimer = undefined
    while (waitingItems.length > 0 && runningGroups < atOnce) void commitGroup(waitingItems.splice(0, most))
  }

  function scheduleDispatch(): void {
    if (waitingItems.length === 0 || runningGroups >= atOnce) return
    if (waitingItems.length >= lastGroupSize) nextTurn ??= setImmediate(dispatchGroups)
    else gatherTimer ??= setTimeout(dispatchGroups, gatherMs)
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waitingItems.push({ item, resolve, reject })
        scheduleDispatch()
      })
    },
    idle() {
      if (runningGroups === 0 && waitingItems.length === 0) return Promise.resolve()
      return new Promise((resolve) => idleWaiters.push(resolve))
    },
  }
}
