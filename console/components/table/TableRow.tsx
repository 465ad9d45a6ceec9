import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import type { TableColumn } from './columns.tsx'
import styles from './DataTable.module.css'
import type { DataTableProps } from './table-props.ts'

type Props<T> = Omit<DataTableProps<T>, 'rows'> & {
  columns: readonly TableColumn<T>[]
  row: T | undefined
  index: number
  top: number
}

/** One row; one that is on its way shows its shape. */
export function TableRow<T>({ columns, row, index, top, keyOf, linkOf, nameOf, selection }: Props<T>) {
  const t = useTranslator(componentTexts)
  const key = row === undefined ? undefined : keyOf(row)
  const rowLink = row === undefined ? undefined : linkOf?.(row)
  const isSelected = key !== undefined && (selection?.has(key) ?? false)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      data-selected={isSelected || undefined}
      className={styles['row']}
      style={{ transform: `translateY(${top}px)` }}
    >
      {selection && (
        <div role="cell" className={styles['check']}>
          {row !== undefined && key !== undefined && (
            <Checkbox
              size="xs"
              tabIndex={-1}
              aria-label={`${t('select')} ${nameOf?.(row) ?? key}`}
              checked={isSelected}
              onChange={() => selection.toggle(key)}
            />
          )}
        </div>
      )}
      {columns.map(({ key: column, cell, align }, place) => (
        <div key={column} role="cell" className={styles['cell']} data-align={align}>
          {row === undefined ? (
            <span className={styles['shape']} />
          ) : place === 0 && rowLink !== undefined ? (
            <Link to={rowLink} className={styles['link']}>
              {cell(row)}
            </Link>
          ) : (
            cell(row)
          )}
        </div>
      ))}
    </div>
  )
}
