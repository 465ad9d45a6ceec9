import type { EventReading } from '../history/readings.ts'

/** Milliseconds: the time of a uuid version 7, its first 48 bits (RFC 9562, 5.7). */
export function parseUuidTime(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) * 0x10000 + Number.parseInt(id.slice(9, 13), 16)
}

/** Whether any of what is left of a reading may be of before the border, which the store has alone. */
export function isBeforeStoreBorder({ selections, sort, after }: EventReading, border: number): boolean {
  const from = sort === 'asc' && after !== undefined ? parseUuidTime(after) : Number.NEGATIVE_INFINITY
  return selections.some(({ shown, period }) => {
    const start = Math.max(from, shown.start ?? from, period.start ?? from)
    return start < border && start < (period.end ?? Number.POSITIVE_INFINITY)
  })
}
