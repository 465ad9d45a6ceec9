/**
 * Reserves `n` messages of a speed that all senders share, and answers after how many milliseconds the first of them may
 * leave; the others follow at the pace of the speed.
 */
export type RequestReserver = (n: number) => Promise<number>

/** When messages may leave. Times are of any one clock, in milliseconds. */
export interface RequestPace {
  /** How long to wait before the next one; 0: it may leave. Undefined while room is being reserved: `onRoom` follows. */
  waitMs(now: number): number | undefined
  /** One left. */
  spend(now: number): void
  /** Halves the speed for a while. */
  halve(now: number): void
  isHalved(now: number): boolean
}

const HALVED_MS = 60_000
/** How much time the messages of one reservation are sent in. */
const BLOCK_MS = 50
/** After a reservation that failed. */
const RETRY_MS = 1000

/** A speed of this process alone: `speed` messages a second. */
export function createLocalReserver(speed: number, now: () => number): RequestReserver {
  let nextAt = 0
  return async (n) => {
    const at = Math.max(now(), nextAt)
    nextAt = at + (n * 1000) / speed
    return at - now()
  }
}

/**
 * `speed`: messages a second; 0 for no limit. `take`: absent for a speed of this process alone. `onRoom` is called when a
 * reservation has come.
 */
export function createRequestPace(
  { speed, take, now }: { speed: number; take?: RequestReserver | undefined; now: () => number },
  onRoom: () => void,
): RequestPace {
  const reserve = take ?? createLocalReserver(speed, now)
  const intervalMs = speed === 0 ? 0 : 1000 / speed
  const block = Math.max(1, Math.floor((speed * BLOCK_MS) / 1000))
  let left = 0
  let nextAt = 0
  let halvedUntil = 0
  let isReserving = false
  const isHalved = (at: number) => at < halvedUntil

  async function reserveBlock(): Promise<void> {
    isReserving = true
    // At half the speed each message takes the room of two.
    const factor = isHalved(now()) ? 2 : 1
    try {
      const waitMs = await reserve(block * factor)
      // The time that the reservation took is made up for.
      nextAt = Math.max(nextAt, now() - BLOCK_MS) + Math.max(0, waitMs)
      left = block
    } catch {
      nextAt = now() + RETRY_MS
    }
    isReserving = false
    onRoom()
  }

  return {
    waitMs(at) {
      if (speed === 0) return 0
      if (at < nextAt) return nextAt - at
      if (left > 0) return 0
      if (!isReserving) void reserveBlock()
      return undefined
    },
    spend(at) {
      if (speed === 0) return
      left--
      nextAt = Math.max(nextAt, at - BLOCK_MS) + intervalMs * (isHalved(at) ? 2 : 1)
    },
    halve(at) {
      halvedUntil = at + HALVED_MS
      left = 0
    },
    isHalved,
  }
}
