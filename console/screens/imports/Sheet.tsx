import { Select } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import styles from './Imports.module.css'
import type { Preview } from './mapping.ts'
import { importTexts } from './texts.ts'

interface Props {
  preview: Pick<Preview, 'sheet' | 'sheets'>
  /** The one that the mapping names, where that is not the one which is shown. */
  chosen?: string | undefined
  isBusy?: boolean
  isReadOnly?: boolean
  onChange(sheet: string): void
}

/** The sheet of a workbook that is read, to be changed where there are several. */
export function Sheet({ preview, chosen, isBusy = false, isReadOnly = false, onChange }: Props) {
  const t = useText(importTexts)
  const sheet = chosen ?? preview.sheet
  const names = [...new Set([...preview.sheets, ...(sheet === null ? [] : [sheet])])]
  if (names.length < 2) return null
  return (
    <div className={styles['encoding']}>
      <Select
        label={t('sheet')}
        description={t('sheetHelp')}
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
