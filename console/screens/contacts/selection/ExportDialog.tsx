import { useState } from 'react'
import { useFields } from '../../../api/definitions.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Contact } from '../contact-columns.tsx'
import type { SelectionDialog } from '../SelectionActions.tsx'
import { eachSelected } from '../selected.ts'
import { contactTexts } from '../texts.ts'
import { csvCell } from './csv.ts'

const lineOf = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

function save(parts: string[], name: string): void {
  // The mark tells spreadsheets that it is UTF-8.
  const address = URL.createObjectURL(new Blob(['\u{FEFF}', ...parts], { type: 'text/csv;charset=utf-8' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}

/** Saves chosen contacts as a file, with every field. */
export function ExportDialog({ selection, rows, looked, onClose }: SelectionDialog) {
  const t = useText(contactTexts)
  const fields = useFields().data ?? []
  const [done, setDone] = useState(0)
  const count = selection.count(rows.total)
  const heading = [t('id'), ...fields.map(({ name }) => name), t('redMail'), t('redSms'), t('created'), t('updated')]
  const line = ({ id, fields: values, redList, creationDate, lastUpdateDate }: Contact): string =>
    lineOf([
      ...[id, ...fields.map((field) => values[field.id])],
      ...[redList?.mail?.timestamp, redList?.sms?.timestamp, creationDate, lastUpdateDate],
    ])
  const run = async (): Promise<void> => {
    const parts = [lineOf(heading)]
    let written = 0
    for await (const page of eachSelected(selection, looked)) {
      parts.push(page.map(line).join(''))
      written += page.length
      setDone(written)
    }
    save(parts, `${t('fileName')}.csv`)
    tell(t('exported', { count: written }))
  }
  return (
    <Confirm
      title={t('exportMany', { count })}
      action={t('export')}
      isDangerous={false}
      onConfirm={run}
      onClose={onClose}
    >
      <p>{t('exportManyWhy')}</p>
      {done > 0 && <small role="status">{t('doneOf', { done, count })}</small>}
    </Confirm>
  )
}
