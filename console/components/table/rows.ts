import { useMemo } from 'react'

/** Row source of a table. */
export interface TableRows<T> {
  /** Number of rows. */
  total: number
  /** `total` was counted, not estimated. */
  isExact: boolean
  /** The row at a place; undefined: it is on its way. */
  row(index: number): T | undefined
  /** Says which rows are seen, so that they are read. */
  see(first: number, last: number): void
  /** Nothing is there yet. */
  isWaiting: boolean
  error: unknown
  retry(): void
}

/** True if the page of a list has its main action in the head: an empty list has it in its place. */
export const hasHeadAction = (rows: Pick<TableRows<unknown>, 'total' | 'error'>, isFiltered = false): boolean =>
  rows.total > 0 || isFiltered || rows.error !== null

/** Sort order of a table: `name` or `-name` in the address. */
export interface TableSort {
  by: string
  descending: boolean
}

export function parseTableSort(text: string | undefined, fallback: TableSort): TableSort {
  if (!text) return fallback
  return text.startsWith('-') ? { by: text.slice(1), descending: true } : { by: text, descending: false }
}

export const formatTableSort = ({ by, descending }: TableSort): string => (descending ? `-${by}` : by)

interface ArrayQuery<T> {
  data: readonly T[] | undefined
  error: unknown
  isPending: boolean
  refetch(): unknown
}

/** Rows of a list that was read whole, such as a query's. `compare`: in which order. */
export function useArrayTableRows<T>(arrayQuery: ArrayQuery<T>, compare?: (a: T, b: T) => number): TableRows<T> {
  const { data, error, isPending, refetch } = arrayQuery
  const sortedRows = useMemo(() => (data && compare ? data.toSorted(compare) : (data ?? [])), [data, compare])
  return {
    total: sortedRows.length,
    isExact: true,
    row: (index) => sortedRows[index],
    see: () => undefined,
    isWaiting: isPending && !error,
    error,
    retry: () => void refetch(),
  }
}
