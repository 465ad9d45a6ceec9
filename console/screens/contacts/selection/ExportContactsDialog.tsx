import { useState } from 'react'
import { useContactFields } from '../../../api/definitions.ts'
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ListedApiContact } from '../contact-columns.tsx'
import type { SelectionDialogProps } from '../selected.ts'
import { readSelectedContacts } from '../selected.ts'
import { contactTexts } from '../texts.ts'
import { formatExportCell } from './csv.ts'

const formatLine = (cells: readonly unknown[]): string => `${cells.map(formatExportCell).join(',')}\r\n`

function saveCsv(parts: string[], name: string): void {
  // The byte order mark identifies the text as UTF-8 for spreadsheet programs.
  const objectUrl = URL.createObjectURL(new Blob(['\u{FEFF}', ...parts], { type: 'text/csv;charset=utf-8' }))
  const downloadLink = Object.assign(document.createElement('a'), { href: objectUrl, download: name })
  downloadLink.click()
  URL.revokeObjectURL(objectUrl)
}

/** Saves chosen contacts as a file, with every field. */
export function ExportContactsDialog({ selection, rows, looked: rowsQuery, onClose }: SelectionDialogProps) {
  const t = useTranslator(contactTexts)
  const fields = useContactFields().data ?? []
  const [doneCount, setDoneCount] = useState(0)
  const count = selection.count(rows.total)
  const headingCells = [
    t('id'),
    ...fields.map(({ name }) => name),
    t('redMail'),
    t('redSms'),
    t('created'),
    t('updated'),
  ]
  const line = ({ id, fields: values, redList, creationDate, lastUpdateDate }: ListedApiContact): string =>
    formatLine([
      id,
      ...fields.map((field) => values[field.id]),
      redList?.mail?.timestamp,
      redList?.sms?.timestamp,
      creationDate,
      lastUpdateDate,
    ])
  const exportContacts = async (): Promise<void> => {
    const parts = [formatLine(headingCells)]
    let writtenCount = 0
    for await (const page of readSelectedContacts(selection, rowsQuery)) {
      parts.push(page.map(line).join(''))
      writtenCount += page.length
      setDoneCount(writtenCount)
    }
    saveCsv(parts, `${t('fileName')}.csv`)
    showToast(t('exported', { count: writtenCount }))
  }
  return (
    <ConfirmDialog
      title={t('exportMany', { count })}
      action={t('export')}
      isDangerous={false}
      onConfirm={exportContacts}
      onClose={onClose}
    >
      <p>{t('exportManyWhy')}</p>
      {doneCount > 0 && <small role="status">{t('doneOf', { done: doneCount, count })}</small>}
    </ConfirmDialog>
  )
}
