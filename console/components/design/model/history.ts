import type { ApiDesign } from './shapes.ts'

const MOST = 200
/** Changes of one member that follow each other this quickly are one step. */
const PAUSE_MS = 1_000

export interface DesignHistory {
  past: readonly ApiDesign[]
  present: ApiDesign
  future: readonly ApiDesign[]
  /** What the last step changed, and when. */
  last: { what: string; at: number } | null
}

export const createDesignHistory = (design: ApiDesign): DesignHistory => ({
  past: [],
  present: design,
  future: [],
  last: null,
})

/** A step: `what` joins those of the same member that came just before. */
export function recordDesignStep(
  history: DesignHistory,
  design: ApiDesign,
  what: string | null,
  at: number,
): DesignHistory {
  if (design === history.present) return history
  const { last } = history
  const joins = what !== null && last?.what === what && at - last.at < PAUSE_MS
  const past = joins ? history.past : [...history.past, history.present].slice(-MOST)
  return { past, present: design, future: [], last: what === null ? null : { what, at } }
}

export function undoDesignStep(history: DesignHistory): DesignHistory {
  const { past, present, future } = history
  if (past.length === 0) return history
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], last: null }
}

export function redoDesignStep(history: DesignHistory): DesignHistory {
  const [present, ...future] = history.future
  if (!present) return history
  return { past: [...history.past, history.present], present, future, last: null }
}
