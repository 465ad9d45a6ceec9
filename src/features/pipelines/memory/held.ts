import { createMemoryFailure } from '../execution/failures.ts'

const MAX_HELD_ROWS = 100_000
const MAX_HELD_BYTES = 64 * 1024 * 1024

/** Memory that the cursors of an execution share. */
export interface RowMemory {
  /** Takes a row, or a value of one. Throws ExecutionFailure `rows`. */
  take(value: unknown): void
}

/** About how many bytes a value takes. */
function estimateSize(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 48
  for (const name in value) size += 16 + estimateSize((value as Record<string, unknown>)[name])
  return size
}

/** Counts what is held. */
export function createRowMemory(): RowMemory {
  let [rows, bytes] = [0, 0]
  return {
    take(value) {
      rows++
      bytes += estimateSize(value)
      if (rows > MAX_HELD_ROWS || bytes > MAX_HELD_BYTES) throw createMemoryFailure()
    },
  }
}
