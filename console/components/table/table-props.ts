import type { ReactNode } from 'react'
import type { TableColumn, UrlTableColumns } from './columns.tsx'
import type { TableRows, TableSort } from './rows.ts'
import type { RowSelectionState } from './selection.ts'

/** Columns of a card: its state beside the name, up to two figures below. */
export interface TableCardColumns {
  state?: string
  figures?: readonly string[]
}

export interface DataTableProps<T> {
  /** Storage key of the column choice. */
  name: string
  /** Accessible name of the list. */
  label: string
  rows: TableRows<T>
  columns: readonly TableColumn<T>[]
  keyOf(row: T): string
  /** Link target of the first column; `undefined` for no link. */
  linkOf?(row: T): string | undefined
  /** Accessible name of the checkbox of a row. */
  nameOf?(row: T): string
  sort?: TableSort
  onSort?(sort: TableSort): void
  selection?: RowSelectionState
  /** Bulk actions on the selection, each labelled with its effect. */
  actions?: ReactNode
  /** Buttons at the end of a row. */
  rowActions?(row: T): ReactNode
  /** On a phone, each row is a card with its name, its actions, and these columns by key. */
  cards?: TableCardColumns
  /** In place of no rows at all. */
  empty: ReactNode
  /** Rows are searched or filtered: the tools stay where none is found. */
  isFiltered?: boolean
  /** The chosen columns, where the address has them. */
  addressed?: UrlTableColumns
  /** Beside the column menu: search, filters. */
  tools?: ReactNode
}
