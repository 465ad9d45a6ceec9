import { useCallback, useEffect, useRef, useState } from 'react'
import type { TableRows } from './rows.ts'
import {
  addRowPage,
  createRowRanges,
  findLoadedRow,
  findMissingRowPage,
  type KeysetPage,
  type LoadedRowRanges,
  type RowPageRequest,
} from './runs.ts'

export interface CountedKeysetPage<T> extends KeysetPage<T> {
  total: number
  exact: boolean
}

/** What a page is asked by: nothing (the first one), the end of the one before, or a share of the list. */
export type KeysetPosition = { after?: string; at?: number }

interface Options<T> {
  /** What the list depends on, as text: another one begins anew. */
  key: string
  load(place: KeysetPosition, signal: AbortSignal): Promise<CountedKeysetPage<T>>
  keyOf(row: T): string
}

interface State<T> {
  key: string
  runs: LoadedRowRanges<T>
  isExact: boolean
  error: unknown
}

const placeOf = (wanted: RowPageRequest): KeysetPosition =>
  'after' in wanted ? { after: wanted.after } : 'at' in wanted ? { at: wanted.at } : {}

/**
 * Rows of a list of any length, read as they are seen: one page at a time, the next ones by key, far ones by their share of the list. A list
 * under way keeps what it shows until the new one is there.
 */
export function useKeysetRows<T>({ key, load, keyOf }: Options<T>): TableRows<T> & { reload(): void } {
  const fresh = (): State<T> => ({ key, runs: createRowRanges(), isExact: false, error: null })
  const [state, setState] = useState(fresh)
  const [round, setRound] = useState(0)
  const latest = useRef({ load, keyOf, state })
  const seen = useRef({ first: 0, last: 60 })
  const reading = useRef<AbortController | null>(null)
  useEffect(() => {
    latest.current = { load, keyOf, state }
  })

  const readOn = useCallback(async (from: State<T>): Promise<void> => {
    if (reading.current) return
    const controller = new AbortController()
    reading.current = controller
    let current = from
    try {
      for (;;) {
        const wanted = findMissingRowPage(current.runs, seen.current.first, seen.current.last)
        if (!wanted) break
        const page = await latest.current.load(placeOf(wanted), controller.signal)
        if (controller.signal.aborted) return
        const runs = addRowPage(current.runs, wanted, page, latest.current.keyOf)
        if (runs.runs.length === current.runs.runs.length && page.items.length === 0) break
        current = { ...current, runs, isExact: page.exact, error: null }
        setState(current)
      }
    } catch (error) {
      if (!controller.signal.aborted) setState({ ...current, error })
    } finally {
      if (reading.current === controller) reading.current = null
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key, or another round, is another list.
  useEffect(() => {
    reading.current?.abort()
    reading.current = null
    seen.current = { first: 0, last: 60 }
    void readOn(fresh())
    return () => {
      reading.current?.abort()
      reading.current = null
    }
  }, [key, round, readOn])

  const reload = useCallback(() => setRound((before) => before + 1), [])
  const { runs, isExact, error } = state
  return {
    total: runs.total,
    isExact,
    row: (index) => findLoadedRow(runs, index),
    see: (first, last) => {
      seen.current = { first, last }
      const { state: now } = latest.current
      if (now.key === key && !now.error && now.runs.runs.length > 0) void readOn(now)
    },
    isWaiting: runs.runs.length === 0 && !error,
    error,
    retry: reload,
    reload,
  }
}
