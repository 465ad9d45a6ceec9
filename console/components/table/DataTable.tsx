import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import { useSharedStore } from '../../api/store.ts'
import { rowDensityStore as density } from '../../layout/preferences.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useIsWaitingLong } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { componentTexts } from '../texts.ts'
import { type TableColumn, type UrlTableColumns, useTableColumns } from './columns.tsx'
import styles from './DataTable.module.css'
import type { TableRows, TableSort } from './rows.ts'
import { SelectionBar } from './SelectionBar.tsx'
import type { RowSelectionState } from './selection.ts'
import { TableHead } from './TableHead.tsx'
import { TableRow } from './TableRow.tsx'
import { useTableRowKeys } from './use-row-keys.ts'
import { useRowWindow } from './use-window.ts'

const WAITING_ROWS = 12
const ROW_PX = { normal: 36, compact: 28 }
export const TABLE_HEAD_PX = 34

export interface DataTableProps<T> {
  /** What its columns are kept by. */
  name: string
  /** What it lists, for screen readers. */
  label: string
  rows: TableRows<T>
  columns: readonly TableColumn<T>[]
  keyOf(row: T): string
  /** Where the first column leads; undefined: nowhere. */
  linkOf?(row: T): string | undefined
  /** What a row is called, for its checkbox. */
  nameOf?(row: T): string
  sort?: TableSort
  onSort?(sort: TableSort): void
  selection?: RowSelectionState
  /** What can be done with what is selected: each says what it will do. */
  actions?: ReactNode
  /** In place of no rows at all. */
  empty: ReactNode
  /** Rows are searched or filtered: the tools stay where none is found. */
  isFiltered?: boolean
  /** The chosen columns, where the address has them. */
  addressed?: UrlTableColumns
  /** Beside the column menu: search, filters. */
  tools?: ReactNode
}

/** What each column takes of the width, as a grid. */
function gridOf<T>(columns: readonly TableColumn<T>[], isSelecting: boolean): CSSProperties {
  const tracks = columns.map(({ width = 140, grow = 1 }) => `minmax(${width}px, ${grow}fr)`)
  const least = columns.reduce((sum, { width = 140 }) => sum + width, isSelecting ? 40 : 0)
  return {
    '--columns': `${isSelecting ? '40px ' : ''}${tracks.join(' ')}`,
    '--least': `${least}px`,
  } as CSSProperties
}

/** A list of any length: sticky head, rows drawn as they are seen, sort in the address, keys j, k, x and Enter. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { rows, columns, keyOf, selection, label, name, empty } = props
  const t = useTranslator(componentTexts)
  const box = useRef<HTMLDivElement>(null)
  const chosen = useTableColumns(name, columns, props.addressed)
  const window = useRowWindow(box, rows.total, ROW_PX[useSharedStore(density)], TABLE_HEAD_PX)
  const isSlow = useIsWaitingLong(rows.isWaiting)
  const { first, last } = window
  const { see } = rows
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is seen is told when it changes, not when its listener does.
  useEffect(() => see(first, last), [first, last, rows.total])
  useTableRowKeys({ box, rows, window, ...(selection && { toggle: selection.toggle }), keyOf })
  if (!rows.isWaiting && rows.total === 0 && !rows.error)
    return (
      <>
        {props.isFiltered && <div className={styles['tools']}>{props.tools}</div>}
        {empty}
      </>
    )
  const drawn = rows.isWaiting ? (isSlow ? WAITING_ROWS : 0) : Math.max(last - first + 1, 0)
  return (
    <div className={styles['table']} data-fill>
      <TableHead.Tools columns={columns} chosen={chosen} rows={rows} tools={props.tools} />
      {rows.error !== null && <ProblemAlert error={rows.error} title={t('loadFailed')} onRetry={rows.retry} />}
      <div ref={box} className={styles['box']} tabIndex={0} style={gridOf(chosen.shown, selection !== undefined)}>
        <div
          role="table"
          aria-label={label}
          aria-rowcount={rows.isExact ? rows.total + 1 : -1}
          className={styles['rows']}
        >
          <TableHead {...props} shown={chosen.shown} loaded={() => loadedKeys(rows, keyOf)} />
          <div role="rowgroup" className={styles['body']} style={{ height: Math.max(window.height, drawn * 28) }}>
            {Array.from({ length: drawn }, (_, step) => {
              const index = rows.isWaiting ? step : first + step
              const row = rows.row(index)
              return (
                <TableRow
                  key={row === undefined ? `at ${index}` : keyOf(row)}
                  {...props}
                  columns={chosen.shown}
                  row={row}
                  index={index}
                  top={window.top(index)}
                />
              )
            })}
          </div>
        </div>
      </div>
      {selection && selection.count(rows.total) > 0 && (
        <SelectionBar selection={selection} rows={rows} actions={props.actions} />
      )}
    </div>
  )
}

/** Keys of the rows that have been read. */
function loadedKeys<T>(rows: TableRows<T>, keyOf: (row: T) => string): string[] {
  const keys: string[] = []
  for (let index = 0; index < rows.total && keys.length < 10_000; index++) {
    const row = rows.row(index)
    if (row === undefined) break
    keys.push(keyOf(row))
  }
  return keys
}
