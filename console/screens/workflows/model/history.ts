/** What was done and can be undone, and what was undone and can be done again. */
export interface EditHistory<T> {
  past: readonly T[]
  future: readonly T[]
}

const MOST_STEPS = 200

export const createEditHistory = <T>(): EditHistory<T> => ({ past: [], future: [] })

/** After a change; what had been undone is gone. */
export const recordEdit = <T>({ past }: EditHistory<T>, before: T): EditHistory<T> => ({
  past: [...past, before].slice(-MOST_STEPS),
  future: [],
})

/** One step back, with the value of then; null: there is none. */
export function undoEdit<T>({ past, future }: EditHistory<T>, now: T): { history: EditHistory<T>; value: T } | null {
  if (past.length === 0) return null
  return { history: { past: past.slice(0, -1), future: [now, ...future] }, value: past.at(-1) as T }
}

/** One step forth again. */
export function redoEdit<T>({ past, future }: EditHistory<T>, now: T): { history: EditHistory<T>; value: T } | null {
  if (future.length === 0) return null
  return { history: { past: [...past, now], future: future.slice(1) }, value: future[0] as T }
}
