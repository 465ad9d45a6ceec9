import { Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import type { TableColumn } from './columns.tsx'
import styles from './DataTable.module.css'
import type { DataTableProps, TableCardColumns } from './table-props.ts'

/** Key of the column that holds the buttons of a row. */
export const ACTIONS_COLUMN = 'row-actions'

type Props<T> = Omit<DataTableProps<T>, 'rows'> & {
  columns: readonly TableColumn<T>[]
  row: T | undefined
  index: number
  top: number
  isCard: boolean
}

/** Place of a column in a card. */
function findCardPart(column: string, place: number, cards: TableCardColumns | undefined): string {
  if (place === 0) return 'name'
  if (column === ACTIONS_COLUMN) return 'actions'
  return column === cards?.state ? 'state' : 'figure'
}

/** Columns that a card shows, in their order. */
export function pickCardColumns<T>(columns: readonly TableColumn<T>[], cards: TableCardColumns): TableColumn<T>[] {
  const cardKeys = [cards.state, ...(cards.figures ?? []), ACTIONS_COLUMN]
  return columns.filter(({ key }, place) => place === 0 || cardKeys.includes(key))
}

/** One row; one that is on its way shows its shape. */
export function TableRow<T>(props: Props<T>) {
  const { columns, row, index, top, keyOf, linkOf, nameOf, selection, isCard, cards } = props
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
      className={isCard ? styles['cardRow'] : styles['row']}
      style={{ transform: `translateY(${top}px)` }}
    >
      {selection && !isCard && (
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
      {columns.map(({ key: column, header, cell, align }, place) => {
        const part = isCard ? findCardPart(column, place, cards) : undefined
        const content = row === undefined ? <span className={styles['shape']} /> : cell(row)
        if (part === 'figure' && (content === null || content === undefined || content === '')) return null
        return (
          <div key={column} role="cell" className={styles['cell']} data-align={align} data-part={part}>
            {part === 'figure' && <small>{header}</small>}
            {place === 0 && rowLink !== undefined ? (
              <Link to={rowLink} className={styles['link']}>
                {content}
              </Link>
            ) : (
              content
            )}
          </div>
        )
      })}
    </div>
  )
}
