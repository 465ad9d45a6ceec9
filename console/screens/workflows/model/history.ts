/** Values to undo to, and undone values to redo. */
export interface EditHistory<T> {
  past: readonly T[]
  future: readonly T[]
}

const MAX_STEPS = 200

export const createEditHistory = <T>(): EditHistory<T> => ({ past: [], future: [] })

/** After a change; what had been undone is gone. */
export const recordEdit = <T>({ past: pastValues }: EditHistory<T>, before: T): EditHistory<T> => ({
  past: [...pastValues, before].slice(-MAX_STEPS),
  future: [],
})

/** One step back, with its value; null if there is none. */
export function undoEdit<T>(
  { past: pastValues, future }: EditHistory<T>,
  now: T,
): { history: EditHistory<T>; value: T } | null {
  if (pastValues.length === 0) return null
  return { history: { past: pastValues.slice(0, -1), future: [now, ...future] }, value: pastValues.at(-1) as T }
}

/** One step forth again. */
export function redoEdit<T>(
  { past: pastValues, future }: EditHistory<T>,
  now: T,
): { history: EditHistory<T>; value: T } | null {
  if (future.length === 0) return null
  return { history: { past: [...pastValues, now], future: future.slice(1) }, value: future[0] as T }
}
