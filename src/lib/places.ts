import { overloaded } from './problem.ts'

/** What waits for a place: what previews goes last. */
export interface PlaceOptions {
  isPreview?: boolean | undefined
}

/** Does work once it has a place. Rejects with a Problem 503 where it gets none. */
export type Places = <T>(work: () => Promise<T>, options?: PlaceOptions) => Promise<T>

const WAIT_MS = 5000
const QUEUED = 100

interface Turn {
  isPreview: boolean
  begin(): void
}

/**
 * Places for `most` works at a time, in their order, what writes before what previews. Who waits longer than 5 s, or finds `queued` that wait,
 * is refused with `refusal`: nothing was done.
 */
export function openPlaces(most: number, refusal: string, queued: number = QUEUED): Places {
  let busy = 0
  const waiting: Turn[] = []

  function next(): Turn | undefined {
    const first = Math.max(
      0,
      waiting.findIndex(({ isPreview }) => !isPreview),
    )
    return waiting.splice(first, 1)[0]
  }

  /** Resolves with a place that was left to this work. */
  function wait(isPreview: boolean): Promise<void> {
    if (waiting.length >= queued) return Promise.reject(overloaded(refusal))
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(overloaded(refusal))
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
      // The place goes to the next one, without a gap.
      const turn = next()
      if (turn) turn.begin()
      else busy--
    }
  }
}
