/** A hit on a link, as the rule of bursts sees it. */
export interface LinkHit {
  event: string
  /** One send. */
  stamp: string
  link: number
  /** Milliseconds: the instant of the request. */
  hitAt: number
}

const BURST_WINDOW_MS = 2000
/** Different links of one stamp that a person may follow within the window. */
export const MAX_BURST_LINKS = 2

/**
 * The hits that no person can have made: those among three or more different links of one stamp within 2 s.
 * Each stamp's hits are scanned once, with the window that begins at each of them.
 */
export function findBursts(hits: readonly LinkHit[]): Set<string> {
  const hitsByStamp = Map.groupBy(hits, ({ stamp }) => stamp)
  return new Set(
    [...hitsByStamp.values()].flatMap((stampHits) => findStampBursts(stampHits.toSorted((a, b) => a.hitAt - b.hitAt))),
  )
}

function findStampBursts(hits: readonly LinkHit[]): string[] {
  const linkCounts = new Map<number, number>()
  const burstEvents: string[] = []
  let windowEnd = 0
  // Hits before `flagged` that are in a burst are found already.
  let flagged = 0
  for (const [start, firstHit] of hits.entries()) {
    for (
      let nextHit = hits[windowEnd];
      nextHit && nextHit.hitAt <= firstHit.hitAt + BURST_WINDOW_MS;
      nextHit = hits[++windowEnd]
    ) {
      linkCounts.set(nextHit.link, (linkCounts.get(nextHit.link) ?? 0) + 1)
    }
    if (linkCounts.size > MAX_BURST_LINKS) {
      burstEvents.push(...hits.slice(Math.max(start, flagged), windowEnd).map(({ event }) => event))
      flagged = windowEnd
    }
    const remainingCount = (linkCounts.get(firstHit.link) ?? 0) - 1
    if (remainingCount > 0) linkCounts.set(firstHit.link, remainingCount)
    else linkCounts.delete(firstHit.link)
  }
  return burstEvents
}
