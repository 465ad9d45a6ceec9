import { overloadedProblem } from '../errors/problem.ts'

/** Options of work that waits for a place: previews go last. */
export interface WorkSlotOptions {
  isPreview?: boolean | undefined
}

/** Runs work once it has a place. Rejects with a Problem 503 if it gets none. */
export type WorkSlots = <T>(work: () => Promise<T>, options?: WorkSlotOptions) => Promise<T>

const DEFAULT_WAIT_MS = 5000
const DEFAULT_QUEUE_LIMIT = 100

/** Takes the next piece of work out of a queue: the first that is not a preview, else the first. */
export function takeNextWork<Work>(queue: Work[], isPreview: (work: Work) => boolean): Work | undefined {
  const firstIndex = queue.findIndex((work) => !isPreview(work))
  return queue.splice(Math.max(0, firstIndex), 1)[0]
}

interface WaitingTurn {
  isPreview: boolean
  begin(): void
}

/**
 * Places for at most `most` pieces of work at a time, in order, writes before previews. Work that waits longer than 5 s, or finds `queued`
 * others waiting, is refused with `refusal` before it starts.
 */
export function createWorkSlots(most: number, refusal: string, queued: number = DEFAULT_QUEUE_LIMIT): WorkSlots {
  let busySlots = 0
  const waitingTurns: WaitingTurn[] = []

  /** Resolves once this work is given a place. */
  function waitForTurn(isPreview: boolean): Promise<void> {
    if (waitingTurns.length >= queued) return Promise.reject(overloadedProblem(refusal))
    return new Promise((resolve, reject) => {
      const waitTimer = setTimeout(() => {
        waitingTurns.splice(waitingTurns.indexOf(turn), 1)
        reject(overloadedProblem(refusal))
      }, DEFAULT_WAIT_MS)
      const turn: WaitingTurn = {
        isPreview,
        begin() {
          clearTimeout(waitTimer)
          resolve()
        },
      }
      waitingTurns.push(turn)
    })
  }

  return async (work, { isPreview = false } = {}) => {
    if (busySlots < most) busySlots++
    else await waitForTurn(isPreview)
    try {
      return await work()
    } finally {
      // The place goes directly to the next work.
      const turn = takeNextWork(waitingTurns, ({ isPreview }) => isPreview)
      if (turn) turn.begin()
      else busySlots--
    }
  }
}
