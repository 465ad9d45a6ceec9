import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import styles from './DataTable.module.css'
import type { TableRows } from './rows.ts'
import type { RowSelectionState } from './selection.ts'

/** Number of selected rows out of the total, including all that match, and the actions on them. */
export function SelectionBar<T>({
  selection,
  rows,
  actions,
}: {
  selection: RowSelectionState
  rows: TableRows<T>
  actions: ReactNode
}) {
  const t = useTranslator(componentTexts)
  const { total } = rows
  const count = selection.count(total)
  const isAllSelected = count === total
  return (
    <div className={styles['selection']} role="status">
      <strong className="digits">
        {isAllSelected && total > 1 ? t('selectedAll', { total }) : t('selected', { count, total })}
      </strong>
      {!isAllSelected && (
        <Button variant="subtle" size="compact-sm" onClick={selection.all}>
          {t('allMatching', { count: total })}
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" color="gray" onClick={selection.clear}>
        {t('unselect')}
      </Button>
      <div className={styles['actions']}>{actions}</div>
    </div>
  )
}
