import { createMemoryFailure } from '../execution/failures.ts'

const MAX_ROWS = 100_000
const MAX_BYTES = 64 * 1024 * 1024

/** What the cursors of an execution hold together. */
export interface RowMemory {
  /** Takes a row, or a value of one. Throws ExecutionFailure `rows`. */
  take(value: unknown): void
}

/** About how many bytes a value takes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 48
  for (const name in value) size += 16 + sizeOf((value as Record<string, unknown>)[name])
  return size
}

/** Counts what is held. */
export function createRowMemory(): RowMemory {
  let [rows, bytes] = [0, 0]
  return {
    take(value) {
      rows++
      bytes += sizeOf(value)
      if (rows > MAX_ROWS || bytes > MAX_BYTES) throw createMemoryFailure()
    },
  }
}
