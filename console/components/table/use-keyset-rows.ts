import { useCallback, useEffect, useRef, useState } from 'react'
import type { Rows } from './rows.ts'
import { emptyRuns, type KeysetPage, type Runs, rowAt, type Wanted, wantedFor, withPage } from './runs.ts'

export interface CountedPage<T> extends KeysetPage<T> {
  total: number
  exact: boolean
}

/** What a page is asked by: nothing (the first one), the end of the one before, or a share of the list. */
export type Place = { after?: string; at?: number }

interface Options<T> {
  /** What the list depends on, as text: another one begins anew. */
  key: string
  load(place: Place, signal: AbortSignal): Promise<CountedPage<T>>
  keyOf(row: T): string
}

interface State<T> {
  key: string
  runs: Runs<T>
  isExact: boolean
  error: unknown
}

const placeOf = (wanted: Wanted): Place =>
  'after' in wanted ? { after: wanted.after } : 'at' in wanted ? { at: wanted.at } : {}

/**
 * Rows of a list of any length, read as they are seen: one page at a time, the next ones by key, far ones by their share of the list. A list
 * under way keeps what it shows until the new one is there.
 */
export function useKeysetRows<T>({ key, load, keyOf }: Options<T>): Rows<T> & { reload(): void } {
  const fresh = (): State<T> => ({ key, runs: emptyRuns(), isExact: false, error: null })
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
        const wanted = wantedFor(current.runs, seen.current.first, seen.current.last)
        if (!wanted) break
        const page = await latest.current.load(placeOf(wanted), controller.signal)
        if (controller.signal.aborted) return
        const runs = withPage(current.runs, wanted, page, latest.current.keyOf)
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
    row: (index) => rowAt(runs, index),
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
