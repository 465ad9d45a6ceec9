import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { jobOf, jobResult } from '../../../api/jobs.ts'
import { Confirm, TYPED_ABOVE } from '../../../components/Confirm.tsx'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { SelectionDialog } from '../SelectionActions.tsx'
import { selectionOf } from '../selected.ts'
import { contactTexts } from '../texts.ts'

/** Deletes chosen contacts, or erases all that is kept of them: as a job of the service. */
export function DeleteDialog({
  selection,
  rows,
  looked,
  onClose,
  isErasing = false,
}: SelectionDialog & { isErasing?: boolean }) {
  const t = useText(contactTexts)
  const [done, setDone] = useState(0)
  const count = selection.count(rows.total)
  const remove = async (): Promise<void> => {
    const { response } = await api.DELETE('/targets', {
      params: { query: isErasing ? { erase: true } : {} },
      headers: { prefer: 'respond-async' },
      body: selectionOf(selection, looked),
    })
    await jobResult(jobOf(response), setDone)
    selection.clear()
    rows.reload()
    tell(t(isErasing ? 'erasedMany' : 'deletedMany', { count }))
  }
  return (
    <Confirm
      title={t(isErasing ? 'eraseMany' : 'deleteMany', { count })}
      action={t(isErasing ? 'eraseNow' : 'deleteNow')}
      name={count > TYPED_ABOVE ? t(isErasing ? 'eraseWord' : 'deleteWord') : undefined}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t(isErasing ? 'eraseManyWhy' : 'deleteManyWhy', { count })}</p>
      {done > 0 && <small role="status">{t('doneOf', { done, count })}</small>}
    </Confirm>
  )
}
