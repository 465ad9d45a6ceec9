/** Work of an account in the pool. Lanes take turns. */
export interface SandboxLane<Waiting, Run> {
  account: number
  /** Work that waits for a thread, oldest first. */
  waiting: Waiting[]
  /** Runs whose calls are answered and that wait for their turn. */
  resumable: Run[]
  threads: number
  computing: number
  /** The lane with the lowest is next. */
  turn: number
}

/** Accounts in the order of their turns. */
export interface SandboxLanes<Waiting, Run> {
  of(account: number): SandboxLane<Waiting, Run>
  /** In order of turns. */
  all(): SandboxLane<Waiting, Run>[]
  /** After its turn a lane is the last one. */
  served(lane: SandboxLane<Waiting, Run>): void
  /** Forgets a lane in which nothing is left. */
  tidy(lane: SandboxLane<Waiting, Run>): void
  /** The lane in which most wait. */
  longest(): SandboxLane<Waiting, Run> | undefined
}

/** Computes the maximum usage of one account: it leaves a core and half of the threads to the others. */
export function computeAccountShare({ cores, threads }: { cores: number; threads: number }): {
  cores: number
  threads: number
} {
  return { cores: Math.max(1, cores - 1), threads: Math.max(1, Math.floor(threads / 2)) }
}

export function createSandboxLanes<Waiting, Run>(): SandboxLanes<Waiting, Run> {
  const lanes = new Map<number, SandboxLane<Waiting, Run>>()
  let turnCount = 0
  const isEmpty = ({ waiting: waitingWork, resumable, threads }: SandboxLane<Waiting, Run>) =>
    waitingWork.length === 0 && resumable.length === 0 && threads === 0

  return {
    of(account) {
      const existingLane = lanes.get(account)
      if (existingLane) return existingLane
      // Who is new goes before the one that had the last turn, and behind all others.
      const lane = { account, waiting: [], resumable: [], threads: 0, computing: 0, turn: turnCount - 0.5 }
      lanes.set(account, lane)
      return lane
    },
    all: () => [...lanes.values()].sort((a, b) => a.turn - b.turn),
    served(lane) {
      lane.turn = ++turnCount
    },
    tidy(lane) {
      if (isEmpty(lane)) lanes.delete(lane.account)
    },
    longest() {
      let longestLane: SandboxLane<Waiting, Run> | undefined
      for (const lane of lanes.values())
        if (lane.waiting.length > (longestLane?.waiting.length ?? 0)) longestLane = lane
      return longestLane
    },
  }
}
