/** A page of a list by keys: what it holds, and where the next one begins; null: it was the last. */
export interface KeysetPage<T> {
  items: readonly T[]
  next: string | null
}

/** Rows that were read one after the other; `start` is the place of the first in the whole list, exact or estimated. */
interface Run<T> {
  start: number
  /** Whether `start` is known: the run began at the top, or was joined to one that did. */
  isExact: boolean
  items: T[]
  next: string | null
}

/** What is read next: after a run that ends there, or at a share of the list. */
export type RowPageRequest = { after: string; run: number } | { at: number; start: number } | { top: true }

export interface LoadedRowRanges<T> {
  readonly runs: readonly Run<T>[]
  /** How many rows there are: an estimate until the last page has been seen. */
  readonly total: number
}

/** Rows further than this from what was read are jumped to. */
const NEAR = 400
/** Rows read before the place that is jumped to, so that a little way back shows no hole. */
const BEFORE = 150

const endOf = <T>({ start, items }: Run<T>): number => start + items.length

export function createRowRanges<T>(): LoadedRowRanges<T> {
  return { runs: [], total: 0 }
}

export function findLoadedRow<T>({ runs }: LoadedRowRanges<T>, index: number): T | undefined {
  const run = runs.find((one) => index >= one.start && index < endOf(one))
  return run?.items[index - run.start]
}

/** What must be read so that the rows from `first` to `last` are there; undefined: they are. */
export function findMissingRowPage<T>(
  state: LoadedRowRanges<T>,
  first: number,
  last: number,
): RowPageRequest | undefined {
  if (state.runs.length === 0) return { top: true }
  for (let index = Math.max(first, 0); index <= Math.min(last, state.total - 1); index++) {
    if (findLoadedRow(state, index) !== undefined) continue
    const before = state.runs.findLastIndex((run) => endOf(run) <= index)
    const run = state.runs[before]
    if (run?.next && index - endOf(run) <= NEAR) return { after: run.next, run: before }
    const start = Math.max(index - BEFORE, 0)
    return start === 0 ? undefined : { at: start / state.total, start }
  }
  return undefined
}

/** Puts a run that has grown into the one that follows it, where they meet. Of two that should have met and did not, the later one goes. */
function joined<T>(runs: Run<T>[], at: number, keyOf: (row: T) => string): Run<T>[] {
  const [run, following] = [runs[at], runs[at + 1]]
  if (!run || !following || endOf(run) < following.start - NEAR) return runs
  const key = following.items[0] === undefined ? undefined : keyOf(following.items[0])
  const meeting = run.items.findIndex((row) => keyOf(row) === key)
  if (meeting < 0) {
    const isPast = endOf(run) > following.start || (run.isExact && run.next === null)
    return isPast ? runs.toSpliced(at + 1, 1) : runs
  }
  // What is seen is mostly the later run, reached from below: it keeps its place, unless the place of the first one is known.
  const start = run.isExact ? run.start : Math.max(following.start - meeting, 0)
  const items = [...run.items.slice(0, meeting), ...following.items]
  return runs.toSpliced(at, 2, { start, items, next: following.next, isExact: run.isExact })
}

/** The list with one more page. `total`: what the service says. */
export function addRowPage<T>(
  { runs }: LoadedRowRanges<T>,
  wanted: RowPageRequest,
  { items, next, total }: KeysetPage<T> & { total: number },
  keyOf: (row: T) => string,
): LoadedRowRanges<T> {
  const grown = [...runs]
  let at: number
  if ('after' in wanted) {
    at = wanted.run
    const run = grown[at]
    if (!run) return { runs, total }
    grown[at] = { ...run, items: [...run.items, ...items], next }
  } else {
    const start = 'at' in wanted ? wanted.start : 0
    at = grown.findIndex((run) => run.start > start)
    if (at < 0) at = grown.length
    grown.splice(at, 0, { start, isExact: 'top' in wanted, items: [...items], next })
  }
  const merged = joined(grown, at, keyOf)
  const last = merged.at(-1)
  // The last page tells where the list ends, whatever was estimated.
  const end = last && last.next === null ? endOf(last) : undefined
  return {
    runs: merged,
    total: end ?? Math.max(total, ...merged.map((run) => endOf(run) + (run.next === null ? 0 : 1))),
  }
}
