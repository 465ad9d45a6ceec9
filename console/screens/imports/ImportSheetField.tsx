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
  onChange(selectedSheet: string): void
}

const isSameSheetName = (leftName: string, rightName: string): boolean =>
  leftName.localeCompare(rightName, undefined, { sensitivity: 'accent' }) === 0

/** A choice of the sheet to read, if the workbook has several or lacks the chosen one. */
export function ImportSheetField({
  shown: previewSheet,
  sheets,
  chosen: chosenSheet,
  isBusy = false,
  isReadOnly = false,
  onChange,
}: Props) {
  const t = useTranslator(importTexts)
  const isMissing = chosenSheet !== undefined && !isSameSheetName(chosenSheet, previewSheet)
  const selectedSheet = isMissing ? chosenSheet : previewSheet
  const sheetNames = [...new Set([...sheets, selectedSheet])]
  if (sheetNames.length < 2) return null
  return (
    <div className={styles['encoding']}>
      <Select
        label={t('sheet')}
        description={t('sheetHelp')}
        error={isMissing && t('sheetMissing', { sheet: previewSheet })}
        allowDeselect={false}
        searchable
        disabled={isBusy}
        readOnly={isReadOnly}
        data={sheetNames}
        value={selectedSheet}
        onChange={(value) => value !== null && onChange(value)}
      />
    </div>
  )
}
