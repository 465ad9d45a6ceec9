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

/** Position of a page: nothing (the first page), the end of the previous one, or a fraction of the list. */
export type KeysetPosition = { after?: string; at?: number }

interface KeysetOptions<T> {
  /** Text of everything that the list depends on: a change restarts the list. */
  key: string
  load(place: KeysetPosition, signal: AbortSignal): Promise<CountedKeysetPage<T>>
  keyOf(row: T): string
}

interface KeysetState<T> {
  key: string
  runs: LoadedRowRanges<T>
  isExact: boolean
  error: unknown
}

const toKeysetPosition = (pageRequest: RowPageRequest): KeysetPosition =>
  'after' in pageRequest ? { after: pageRequest.after } : 'at' in pageRequest ? { at: pageRequest.at } : {}

/**
 * Rows of a list of any length, read as they are seen: one page at a time, the next ones by key, far ones by their share of the list. A list
 * under way keeps what it shows until the new one is there.
 */
export function useKeysetRows<T>({ key, load, keyOf }: KeysetOptions<T>): TableRows<T> & { reload(): void } {
  const createEmptyState = (): KeysetState<T> => ({ key, runs: createRowRanges(), isExact: false, error: null })
  const [state, setState] = useState(createEmptyState)
  const [reloadCount, setReloadCount] = useState(0)
  const latestInput = useRef({ load, keyOf, state })
  const visibleRange = useRef({ first: 0, last: 60 })
  const activeRequest = useRef<AbortController | null>(null)
  useEffect(() => {
    latestInput.current = { load, keyOf, state }
  })

  const readMissingPages = useCallback(async (from: KeysetState<T>): Promise<void> => {
    if (activeRequest.current) return
    const controller = new AbortController()
    activeRequest.current = controller
    let currentState = from
    try {
      for (;;) {
        const pageRequest = findMissingRowPage(currentState.runs, visibleRange.current.first, visibleRange.current.last)
        if (!pageRequest) break
        const page = await latestInput.current.load(toKeysetPosition(pageRequest), controller.signal)
        if (controller.signal.aborted) return
        const rowRanges = addRowPage(currentState.runs, pageRequest, page, latestInput.current.keyOf)
        if (rowRanges.runs.length === currentState.runs.runs.length && page.items.length === 0) break
        currentState = { ...currentState, runs: rowRanges, isExact: page.exact, error: null }
        setState(currentState)
      }
    } catch (error) {
      if (!controller.signal.aborted) setState({ ...currentState, error })
    } finally {
      if (activeRequest.current === controller) activeRequest.current = null
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key, or another round, is another list.
  useEffect(() => {
    activeRequest.current?.abort()
    activeRequest.current = null
    visibleRange.current = { first: 0, last: 60 }
    void readMissingPages(createEmptyState())
    return () => {
      activeRequest.current?.abort()
      activeRequest.current = null
    }
  }, [key, reloadCount, readMissingPages])

  const reload = useCallback(() => setReloadCount((before) => before + 1), [])
  const { runs, isExact, error } = state
  return {
    total: runs.total,
    isExact,
    row: (index) => findLoadedRow(runs, index),
    see: (first, last) => {
      visibleRange.current = { first, last }
      const { state: now } = latestInput.current
      if (now.key === key && !now.error && now.runs.runs.length > 0) void readMissingPages(now)
    },
    isWaiting: runs.runs.length === 0 && !error,
    error,
    retry: reload,
    reload,
  }
}
