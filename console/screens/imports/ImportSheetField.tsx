import { Select } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './ImportsPage.module.css'
import { importTexts } from './texts.ts'

interface Props {
  /** The sheet in the preview. */
  shown: string
  sheets: readonly string[]
  /** The sheet that the mapping names, if any. */
  chosen?: string | undefined
  isBusy?: boolean
  isReadOnly?: boolean
  onChange(sheet: string): void
}

const isSame = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0

/** A choice of the sheet to read, if the workbook has several or lacks the chosen one. */
export function ImportSheetField({ shown, sheets, chosen, isBusy = false, isReadOnly = false, onChange }: Props) {
  const t = useTranslator(importTexts)
  const isMissing = chosen !== undefined && !isSame(chosen, shown)
  const sheet = isMissing ? chosen : shown
  const names = [...new Set([...sheets, sheet])]
  if (names.length < 2) return null
  return (
    <div className={styles['encoding']}>
      <Select
        label={t('sheet')}
        description={t('sheetHelp')}
        error={isMissing && t('sheetMissing', { sheet: shown })}
        allowDeselect={false}
        searchable
        disabled={isBusy}
        readOnly={isReadOnly}
        data={names}
        value={sheet}
        onChange={(value) => value !== null && onChange(value)}
      />
    </div>
  )
}
