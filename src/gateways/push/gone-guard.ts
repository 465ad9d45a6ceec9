/** What a provider answered in ten minutes, in parts of ten seconds. Times in milliseconds of one clock. */
export interface GoneGuard {
  parts: { from: number; attempts: number; gone: number }[]
  /** Since when the attempts count that stopped it; undefined: it did not stop. */
  stoppedSince: number | undefined
}

const WINDOW_MS = 600_000
const PART_MS = 10_000
const LEAST_ATTEMPTS = 200
const MOST_GONE = 0.2

export function createGoneGuard(): GoneGuard {
  return { parts: [], stoppedSince: undefined }
}

/**
 * Counts attempts, and how many of them said that the device is gone. When these are more than a fifth of at least 200 in
 * ten minutes, the settings are likelier to be wrong than the devices: it stops, and stays so. Answers whether it has stopped;
 * `stoppedSince` then says from when on what was deleted is to be undone.
 */
export function countAttempts(guard: GoneGuard, counted: { attempts: number; gone: number }, now: number): boolean {
  const from = Math.floor(now / PART_MS) * PART_MS
  const last = guard.parts.at(-1)
  if (last?.from === from) {
    last.attempts += counted.attempts
    last.gone += counted.gone
  } else guard.parts.push({ from, ...counted })
  guard.parts = guard.parts.filter((part) => part.from > from - WINDOW_MS)
  const attempts = guard.parts.reduce((sum, part) => sum + part.attempts, 0)
  const gone = guard.parts.reduce((sum, part) => sum + part.gone, 0)
  if (guard.stoppedSince === undefined && attempts >= LEAST_ATTEMPTS && gone > attempts * MOST_GONE)
    guard.stoppedSince = guard.parts[0]?.from ?? from
  return guard.stoppedSince !== undefined
}
