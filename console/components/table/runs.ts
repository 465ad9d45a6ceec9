/** A page of a list by keys: what it holds, and where the next one begins; null: it was the last. */
export interface KeysetPage<T> {
  items: readonly T[]
  next: string | null
}

/** Rows that were read one after the other; `start` is the place of the first in the whole list, exact or estimated. */
interface RowRange<T> {
  start: number
  /** True if `start` is known: the range began at the top, or was merged with one that did. */
  isExact: boolean
  items: T[]
  next: string | null
}

/** The next page to read: after a range that ends there, or at a fraction of the list. */
export type RowPageRequest = { after: string; run: number } | { at: number; start: number } | { top: true }

export interface LoadedRowRanges<T> {
  readonly runs: readonly RowRange<T>[]
  /** Number of rows: an estimate until the last page has been read. */
  readonly total: number
}

/** Rows further than this from what was read are jumped to. */
const MAX_GAP_ROWS = 400
/** Rows read before the place that is jumped to, so that a little way back shows no hole. */
const ROWS_BEFORE_JUMP = 150

const findRangeEnd = <T>({ start, items }: RowRange<T>): number => start + items.length

export function createRowRanges<T>(): LoadedRowRanges<T> {
  return { runs: [], total: 0 }
}

export function findLoadedRow<T>({ runs }: LoadedRowRanges<T>, index: number): T | undefined {
  const loadedRange = runs.find((range) => index >= range.start && index < findRangeEnd(range))
  return loadedRange?.items[index - loadedRange.start]
}

/** Returns the page to read so that the rows from `first` to `last` are loaded, or `undefined` if they already are. */
export function findMissingRowPage<T>(
  state: LoadedRowRanges<T>,
  first: number,
  last: number,
): RowPageRequest | undefined {
  if (state.runs.length === 0) return { top: true }
  for (let index = Math.max(first, 0); index <= Math.min(last, state.total - 1); index++) {
    if (findLoadedRow(state, index) !== undefined) continue
    const precedingIndex = state.runs.findLastIndex((currentRange) => findRangeEnd(currentRange) <= index)
    const run = state.runs[precedingIndex]
    if (run?.next && index - findRangeEnd(run) <= MAX_GAP_ROWS) return { after: run.next, run: precedingIndex }
    const pageStart = Math.max(index - ROWS_BEFORE_JUMP, 0)
    return pageStart === 0 ? undefined : { at: pageStart / state.total, start: pageStart }
  }
  return undefined
}

/** Puts a run that has grown into the one that follows it, where they meet. Of two that should have met and did not, the later one goes. */
function mergeAdjacentRanges<T>(runs: RowRange<T>[], at: number, keyOf: (row: T) => string): RowRange<T>[] {
  const [grownRange, following] = [runs[at], runs[at + 1]]
  if (!grownRange || !following || findRangeEnd(grownRange) < following.start - MAX_GAP_ROWS) return runs
  const key = following.items[0] === undefined ? undefined : keyOf(following.items[0])
  const meetingIndex = grownRange.items.findIndex((row) => keyOf(row) === key)
  if (meetingIndex < 0) {
    const isObsolete = findRangeEnd(grownRange) > following.start || (grownRange.isExact && grownRange.next === null)
    return isObsolete ? runs.toSpliced(at + 1, 1) : runs
  }
  // What is seen is mostly the later run, reached from below: it keeps its place, unless the place of the first one is known.
  const mergedStart = grownRange.isExact ? grownRange.start : Math.max(following.start - meetingIndex, 0)
  const items = [...grownRange.items.slice(0, meetingIndex), ...following.items]
  return runs.toSpliced(at, 2, { start: mergedStart, items, next: following.next, isExact: grownRange.isExact })
}

/** The list with one more page. `total`: what the service says. */
export function addRowPage<T>(
  { runs }: LoadedRowRanges<T>,
  request: RowPageRequest,
  { items, next, total }: KeysetPage<T> & { total: number },
  keyOf: (row: T) => string,
): LoadedRowRanges<T> {
  const extendedRanges = [...runs]
  let rangeIndex: number
  if ('after' in request) {
    rangeIndex = request.run
    const currentRange = extendedRanges[rangeIndex]
    if (!currentRange) return { runs, total }
    extendedRanges[rangeIndex] = { ...currentRange, items: [...currentRange.items, ...items], next }
  } else {
    const requestedStart = 'at' in request ? request.start : 0
    rangeIndex = extendedRanges.findIndex((currentRange) => currentRange.start > requestedStart)
    if (rangeIndex < 0) rangeIndex = extendedRanges.length
    extendedRanges.splice(rangeIndex, 0, { start: requestedStart, isExact: 'top' in request, items: [...items], next })
  }
  const mergedRanges = mergeAdjacentRanges(extendedRanges, rangeIndex, keyOf)
  const lastRange = mergedRanges.at(-1)
  // The last page determines the end of the list, whatever the estimate was.
  const knownEnd = lastRange && lastRange.next === null ? findRangeEnd(lastRange) : undefined
  return {
    runs: mergedRanges,
    total:
      knownEnd ??
      Math.max(
        total,
        ...mergedRanges.map((currentRange) => findRangeEnd(currentRange) + (currentRange.next === null ? 0 : 1)),
      ),
  }
}
