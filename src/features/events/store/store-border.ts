import type { EventReading } from '../history/readings.ts'

/** Milliseconds: the time of a uuid version 7, its first 48 bits (RFC 9562, 5.7). */
export function parseUuidTime(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 0x10000 + Number.parseInt(id.slice(9, 13), 16)
}

/** Returns true if any remaining event of a reading may be before the border, where only the store has events. */
export function isBeforeStoreBorder({ selections, sort, after }: EventReading, border: number): boolean {
  const cursorTime = sort === 'asc' && after !== undefined ? parseUuidTime(after) : Number.NEGATIVE_INFINITY
  return selections.some(({ shown: visiblePeriod, period }) => {
    const startTime = Math.max(cursorTime, visiblePeriod.start ?? cursorTime, period.start ?? cursorTime)
    return startTime < border && startTime < (period.end ?? Number.POSITIVE_INFINITY)
  })
}
