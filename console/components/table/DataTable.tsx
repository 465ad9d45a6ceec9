import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, useEffect, useRef } from 'react'
import { useSharedStore } from '../../api/store.ts'
import { rowDensityStore } from '../../layout/preferences.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useIsWaitingLong } from '../layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../layout/ProblemAlert.tsx'
import { componentTexts } from '../texts.ts'
import { type TableColumn, useTableColumns } from './columns.tsx'
import styles from './DataTable.module.css'
import type { TableRows } from './rows.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { TableHead } from './TableHead.tsx'
import { ACTIONS_COLUMN, pickCardColumns, TableRow } from './TableRow.tsx'
import type { DataTableProps } from './table-props.ts'
import { useTableRowKeys } from './use-row-keys.ts'
import { useRowWindow } from './use-window.ts'

const PLACEHOLDER_ROWS = 12
const ROW_HEIGHTS_PX = { normal: 40, compact: 28 }
const CARD_HEIGHT_PX = 92
const PHONE_WIDTH = '(max-width: 639px)'
export const TABLE_HEAD_PX = 34

const CARD_STYLE = { '--row': `${CARD_HEIGHT_PX}px`, '--least': '0px' } as CSSProperties

/** Builds the grid template from the widths of the columns. */
function buildGridStyle<T>(columns: readonly TableColumn<T>[], isSelecting: boolean): CSSProperties {
  const gridTracks = columns.map(({ width = 140, grow = 1 }) => `minmax(${width}px, ${grow}fr)`)
  const minWidthPx = columns.reduce((sum, { width = 140 }) => sum + width, isSelecting ? 40 : 0)
  return {
    '--columns': `${isSelecting ? '40px ' : ''}${gridTracks.join(' ')}`,
    '--least': `${minWidthPx}px`,
  } as CSSProperties
}

/** A list of any length: sticky head, rows drawn as they are seen, sort in the address, keys j, k, x and Enter. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { rows, columns, keyOf, selection, label, name, empty, rowActions, cards } = props
  const t = useTranslator(componentTexts)
  const scrollBox = useRef<HTMLDivElement>(null)
  const columnChoice = useTableColumns(name, columns, props.addressed)
  const isCard = useMediaQuery(PHONE_WIDTH, matchMedia(PHONE_WIDTH).matches) && cards !== undefined
  const rowHeight = ROW_HEIGHTS_PX[useSharedStore(rowDensityStore)]
  const rowWindow = useRowWindow(scrollBox, rows.total, isCard ? CARD_HEIGHT_PX : rowHeight, isCard ? 0 : TABLE_HEAD_PX)
  const isSlow = useIsWaitingLong(rows.isWaiting)
  const { first, last } = rowWindow
  const { see } = rows
  // biome-ignore lint/correctness/useExhaustiveDependencies: the visible range is reported when it changes, not when its listener changes.
  useEffect(() => see(first, last), [first, last, rows.total])
  useTableRowKeys({ box: scrollBox, rows, window: rowWindow, ...(selection && { toggle: selection.toggle }), keyOf })
  const problem = rows.error !== null && (
    <ProblemAlert error={rows.error} title={t('listFailed', { list: label })} onRetry={rows.retry} />
  )
  if (problem && rows.total === 0) return problem
  if (!rows.isWaiting && rows.total === 0)
    return (
      <>
        {props.isFiltered && <div className={styles['tools']}>{props.tools}</div>}
        {empty}
      </>
    )
  const actionsColumn: TableColumn<T>[] = rowActions
    ? [{ key: ACTIONS_COLUMN, header: t('actions'), isHeaderUnseen: true, width: 56, grow: 0, cell: rowActions }]
    : []
  const shownColumns = isCard
    ? pickCardColumns([...columns, ...actionsColumn], cards)
    : [...columnChoice.shown, ...actionsColumn]
  const drawnCount = rows.isWaiting ? (isSlow ? PLACEHOLDER_ROWS : 0) : Math.max(last - first + 1, 0)
  return (
    <div className={styles['table']} data-fill>
      <TableHead.Tools columns={columns} chosen={columnChoice} rows={rows} tools={props.tools} />
      {problem}
      <div
        ref={scrollBox}
        className={styles['box']}
        tabIndex={0}
        style={isCard ? CARD_STYLE : buildGridStyle(shownColumns, selection !== undefined)}
      >
        <div
          role="table"
          aria-label={label}
          aria-rowcount={rows.isExact ? rows.total + 1 : -1}
          className={styles['rows']}
        >
          <TableHead {...props} shown={shownColumns} isUnseen={isCard} loaded={() => listLoadedKeys(rows, keyOf)} />
          <div
            role="rowgroup"
            className={styles['body']}
            style={{ height: Math.max(rowWindow.height, drawnCount * 28) }}
          >
            {Array.from({ length: drawnCount }, (_, step) => {
              const index = rows.isWaiting ? step : first + step
              const row = rows.row(index)
              return (
                <TableRow
                  key={row === undefined ? `at ${index}` : keyOf(row)}
                  {...props}
                  columns={shownColumns}
                  isCard={isCard}
                  row={row}
                  index={index}
                  top={rowWindow.top(index)}
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
function listLoadedKeys<T>(rows: TableRows<T>, keyOf: (row: T) => string): string[] {
  const loadedRowKeys: string[] = []
  for (let index = 0; index < rows.total && loadedRowKeys.length < 10_000; index++) {
    const row = rows.row(index)
    if (row === undefined) break
    loadedRowKeys.push(keyOf(row))
  }
  return loadedRowKeys
}
