import type { ApiDesign } from './shapes.ts'

const MAX_UNDO_STEPS = 200
/** Changes of one member that follow each other this quickly are one step. */
const MERGE_WINDOW_MS = 1_000

export interface DesignHistory {
  past: readonly ApiDesign[]
  present: ApiDesign
  future: readonly ApiDesign[]
  /** Member and time of the last change. */
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
  memberPath: string | null,
  at: number,
): DesignHistory {
  if (design === history.present) return history
  const { last } = history
  const isMerged = memberPath !== null && last?.what === memberPath && at - last.at < MERGE_WINDOW_MS
  const pastDesigns = isMerged ? history.past : [...history.past, history.present].slice(-MAX_UNDO_STEPS)
  return { past: pastDesigns, present: design, future: [], last: memberPath === null ? null : { what: memberPath, at } }
}

export function undoDesignStep(history: DesignHistory): DesignHistory {
  const { past: pastDesigns, present, future } = history
  if (pastDesigns.length === 0) return history
  return { past: pastDesigns.slice(0, -1), present: pastDesigns.at(-1)!, future: [present, ...future], last: null }
}

export function redoDesignStep(history: DesignHistory): DesignHistory {
  const [present, ...future] = history.future
  if (!present) return history
  return { past: [...history.past, history.present], present, future, last: null }
}
