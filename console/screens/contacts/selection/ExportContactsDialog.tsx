import { useState } from 'react'
import { useContactFields } from '../../../api/definitions.ts'
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ListedApiContact } from '../contact-columns.tsx'
import type { SelectionDialogProps } from '../SelectionActions.tsx'
import { readSelectedContacts } from '../selected.ts'
import { contactTexts } from '../texts.ts'
import { formatExportCell } from './csv.ts'

const lineOf = (cells: readonly unknown[]): string => `${cells.map(formatExportCell).join(',')}\r\n`

function save(parts: string[], name: string): void {
  // The mark tells spreadsheets that it is UTF-8.
  const address = URL.createObjectURL(new Blob(['\u{FEFF}', ...parts], { type: 'text/csv;charset=utf-8' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}

/** Saves chosen contacts as a file, with every field. */
export function ExportContactsDialog({ selection, rows, looked, onClose }: SelectionDialogProps) {
  const t = useTranslator(contactTexts)
  const fields = useContactFields().data ?? []
  const [done, setDone] = useState(0)
  const count = selection.count(rows.total)
  const heading = [t('id'), ...fields.map(({ name }) => name), t('redMail'), t('redSms'), t('created'), t('updated')]
  const line = ({ id, fields: values, redList, creationDate, lastUpdateDate }: ListedApiContact): string =>
    lineOf([
      ...[id, ...fields.map((field) => values[field.id])],
      ...[redList?.mail?.timestamp, redList?.sms?.timestamp, creationDate, lastUpdateDate],
    ])
  const run = async (): Promise<void> => {
    const parts = [lineOf(heading)]
    let written = 0
    for await (const page of readSelectedContacts(selection, looked)) {
      parts.push(page.map(line).join(''))
      written += page.length
      setDone(written)
    }
    save(parts, `${t('fileName')}.csv`)
    showToast(t('exported', { count: written }))
  }
  return (
    <ConfirmDialog
      title={t('exportMany', { count })}
      action={t('export')}
      isDangerous={false}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{t('exportManyWhy')}</p>
      {done > 0 && <small role="status">{t('doneOf', { done, count })}</small>}
    </ConfirmDialog>
  )
}
