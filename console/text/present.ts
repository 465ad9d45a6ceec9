import { useSyncExternalStore } from 'react'

const TICK_INTERVAL_MS = 30_000

/** Reads the clock at most every half minute, so that one rendering sees one time: also when no time was shown for long. */
export function createPresentTime(readClock: () => number = Date.now): () => number {
  let presentTime = readClock()
  return () => {
    const clockTime = readClock()
    if (Math.abs(clockTime - presentTime) >= TICK_INTERVAL_MS) presentTime = clockTime
    return presentTime
  }
}

const readPresentTime = createPresentTime()

function subscribeToTime(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_INTERVAL_MS)
  return () => clearInterval(timer)
}

/** The present, every half minute: what is "12 minutes ago" does not stay so. */
export const useCurrentTime = (): number => useSyncExternalStore(subscribeToTime, readPresentTime)
