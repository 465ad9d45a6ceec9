import { overloadedProblem } from '../errors/problem.ts'

/** Options of work that waits for a place: previews go last. */
export interface WorkSlotOptions {
  isPreview?: boolean | undefined
}

/** Runs work once it has a place. Rejects with a Problem 503 if it gets none. */
export type WorkSlots = <T>(work: () => Promise<T>, options?: WorkSlotOptions) => Promise<T>

const WAIT_MS = 5000
const QUEUED = 100

/** Takes the next piece of work out of a queue: the first that is not a preview, else the first. */
export function takeNextWork<Work>(queue: Work[], isPreview: (work: Work) => boolean): Work | undefined {
  const first = queue.findIndex((work) => !isPreview(work))
  return queue.splice(Math.max(0, first), 1)[0]
}

interface Turn {
  isPreview: boolean
  begin(): void
}

/**
 * Places for at most `most` pieces of work at a time, in order, writes before previews. Work that waits longer than 5 s, or finds `queued`
 * others waiting, is refused with `refusal` before it starts.
 */
export function createWorkSlots(most: number, refusal: string, queued: number = QUEUED): WorkSlots {
  let busy = 0
  const waiting: Turn[] = []

  /** Resolves once this work is given a place. */
  function wait(isPreview: boolean): Promise<void> {
    if (waiting.length >= queued) return Promise.reject(overloadedProblem(refusal))
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(overloadedProblem(refusal))
      }, WAIT_MS)
      const turn: Turn = {
        isPreview,
        begin() {
          clearTimeout(late)
          resolve()
        },
      }
      waiting.push(turn)
    })
  }

  return async (work, { isPreview = false } = {}) => {
    if (busy < most) busy++
    else await wait(isPreview)
    try {
      return await work()
    } finally {
      // The place goes directly to the next work.
      const turn = takeNextWork(waiting, ({ isPreview }) => isPreview)
      if (turn) turn.begin()
      else busy--
    }
  }
}
