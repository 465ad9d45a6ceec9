import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { componentTexts } from '../texts.ts'
import { type TableColumn, type TableColumnChoice, TableColumnMenu } from './columns.tsx'
import styles from './DataTable.module.css'
import type { TableRows, TableSort } from './rows.ts'
import type { DataTableProps } from './table-props.ts'

function TableHeadCell<T>({
  column,
  sort,
  onSort,
}: {
  column: TableColumn<T>
  sort?: TableSort
  onSort?: (sort: TableSort) => void
}) {
  const { header, align, sort: by, isHeaderUnseen } = column
  const isSorted = by !== undefined && sort?.by === by
  const direction = sort?.descending ? 'descending' : 'ascending'
  const SortArrow = sort?.descending ? IconArrowDown : IconArrowUp
  const isSortable = by !== undefined && onSort !== undefined
  return (
    <div role="columnheader" className={styles['cell']} data-align={align} aria-sort={isSorted ? direction : undefined}>
      {isSortable ? (
        <button type="button" onClick={() => onSort({ by, descending: isSorted && !sort?.descending })}>
          {header}
          {isSorted && <SortArrow size={14} aria-hidden />}
        </button>
      ) : (
        <span className={isHeaderUnseen ? 'unseen' : undefined}>{header}</span>
      )}
    </div>
  )
}

type Props<T> = DataTableProps<T> & { shown: readonly TableColumn<T>[]; loaded(): string[]; isUnseen: boolean }

/** The sticky head: what the columns are, and how they are sorted. */
export function TableHead<T>({ shown: visibleColumns, sort, onSort, selection, rows, loaded, isUnseen }: Props<T>) {
  const t = useTranslator(componentTexts)
  const count = selection?.count(rows.total) ?? 0
  return (
    <div role="rowgroup" className={styles['head']} hidden={isUnseen}>
      <div role="row" aria-rowindex={1} className={styles['row']}>
        {selection && (
          <div role="columnheader" className={styles['check']} aria-label={t('select')}>
            <Checkbox
              size="xs"
              aria-label={t('selectAll')}
              checked={count > 0 && count === rows.total}
              indeterminate={count > 0 && count < rows.total}
              onChange={() => (count > 0 ? selection.clear() : selection.add(loaded()))}
            />
          </div>
        )}
        {visibleColumns.map((column) => (
          <TableHeadCell key={column.key} column={column} {...(sort && { sort })} {...(onSort && { onSort })} />
        ))}
      </div>
    </div>
  )
}

interface TableToolsProps<T> {
  columns: readonly TableColumn<T>[]
  chosen: TableColumnChoice<T>
  rows: TableRows<T>
  tools: ReactNode
}

/** Above the table: search and filters, how many rows there are, and the choice of columns. */
TableHead.Tools = function Tools<T>({ columns, chosen: columnChoice, rows, tools }: TableToolsProps<T>) {
  const t = useTranslator(componentTexts)
  const format = useLocaleFormat()
  const count = rows.isExact ? t('rows', { count: rows.total }) : t('rowsAbout', { count: format.short(rows.total) })
  return (
    <div className={styles['tools']}>
      <div className={styles['filters']}>{tools}</div>
      <span className={styles['count']} role="status">
        {rows.isWaiting ? '' : count}
      </span>
      {columns.length > 2 && <TableColumnMenu columns={columns} chosen={columnChoice} />}
    </div>
  )
}
