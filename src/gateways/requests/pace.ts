/**
 * Reserves `n` messages of a speed that all senders share, and answers after how many milliseconds the first of them may
 * leave; the others follow at the pace of the speed.
 */
export type RequestReserver = (n: number) => Promise<number>

/** Schedules when messages may be sent. Times are in milliseconds of any single clock. */
export interface RequestPace {
  /**
   * Returns the delay before the next message; 0: it may be sent now. `undefined` while a reservation is pending; `onRoom` is called
   * afterwards.
   */
  waitMs(now: number): number | undefined
  /** One left. */
  spend(now: number): void
  /** Halves the speed for a while. */
  halve(now: number): void
  isHalved(now: number): boolean
}

const HALVED_SPEED_MS = 60_000
/** Time span covered by the messages of one reservation. */
const RESERVATION_MS = 50
/** After a reservation that failed. */
const RESERVATION_RETRY_MS = 1000

/** A speed of this process alone: `speed` messages a second. */
export function createLocalReserver(speed: number, now: () => number): RequestReserver {
  let nextAt = 0
  return async (n) => {
    const leaveAt = Math.max(now(), nextAt)
    nextAt = leaveAt + (n * 1000) / speed
    return leaveAt - now()
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
  const blockSize = Math.max(1, Math.floor((speed * RESERVATION_MS) / 1000))
  let remainingMessages = 0
  let nextAt = 0
  let halvedUntil = 0
  let isReserving = false
  const isHalved = (at: number) => at < halvedUntil

  async function reserveBlock(): Promise<void> {
    isReserving = true
    // At half the speed each message takes the room of two.
    const factor = isHalved(now()) ? 2 : 1
    try {
      const waitMs = await reserve(blockSize * factor)
      // The time that the reservation took is made up for.
      nextAt = Math.max(nextAt, now() - RESERVATION_MS) + Math.max(0, waitMs)
      remainingMessages = blockSize
    } catch {
      nextAt = now() + RESERVATION_RETRY_MS
    }
    isReserving = false
    onRoom()
  }

  return {
    waitMs(at) {
      if (speed === 0) return 0
      if (at < nextAt) return nextAt - at
      if (remainingMessages > 0) return 0
      if (!isReserving) void reserveBlock()
      return undefined
    },
    spend(at) {
      if (speed === 0) return
      remainingMessages--
      nextAt = Math.max(nextAt, at - RESERVATION_MS) + intervalMs * (isHalved(at) ? 2 : 1)
    },
    halve(at) {
      halvedUntil = at + HALVED_SPEED_MS
      remainingMessages = 0
    },
    isHalved,
  }
}
