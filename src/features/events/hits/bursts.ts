/** A hit on a link, as the rule of bursts sees it. */
export interface LinkHit {
  event: string
  /** One send. */
  stamp: string
  link: number
  /** Milliseconds: the instant of the request. */
  hitAt: number
}

const WINDOW_MS = 2000
/** Different links of one stamp that a person may follow within the window. */
export const MAX_BURST_LINKS = 2

/**
 * The hits that no person can have made: those among three or more different links of one stamp within 2 s.
 * Each stamp's hits are scanned once, with the window that begins at each of them.
 */
export function findBursts(hits: readonly LinkHit[]): Set<string> {
  const byStamp = Map.groupBy(hits, ({ stamp }) => stamp)
  return new Set([...byStamp.values()].flatMap((own) => burstsOfStamp(own.toSorted((a, b) => a.hitAt - b.hitAt))))
}

function burstsOfStamp(hits: readonly LinkHit[]): string[] {
  const counts = new Map<number, number>()
  const found: string[] = []
  let end = 0
  // Hits before `flagged` that are in a burst are found already.
  let flagged = 0
  for (const [start, first] of hits.entries()) {
    for (let next = hits[end]; next && next.hitAt <= first.hitAt + WINDOW_MS; next = hits[++end]) {
      counts.set(next.link, (counts.get(next.link) ?? 0) + 1)
    }
    if (counts.size > MAX_BURST_LINKS) {
      found.push(...hits.slice(Math.max(start, flagged), end).map(({ event }) => event))
      flagged = end
    }
    const left = (counts.get(first.link) ?? 0) - 1
    if (left > 0) counts.set(first.link, left)
    else counts.delete(first.link)
  }
  return found
}
