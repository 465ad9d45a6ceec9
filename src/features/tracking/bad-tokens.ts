/** Counts what an address sends of bad tokens; answers whether this one is beyond what is borne. */
export type BadTokens = (address: string, now: number) => boolean

const WINDOW_MS = 60_000
const BORNE = 100
/** Addresses counted at once: who comes from more than that is not stopped, but fills no memory either. */
const MOST_ADDRESSES = 10_000

/** Opens the counts: a window of a minute begins with the first bad token of an address. `now` in milliseconds. */
export function countBadTokens(): BadTokens {
  const counts = new Map<string, { since: number; n: number }>()
  return (address, now) => {
    const known = counts.get(address)
    if (known && now - known.since < WINDOW_MS) return ++known.n > BORNE
    counts.delete(address)
    if (counts.size >= MOST_ADDRESSES) counts.delete(counts.keys().next().value ?? '')
    counts.set(address, { since: now, n: 1 })
    return false
  }
}
