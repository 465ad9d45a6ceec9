import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { parseJobId, waitForJobResult } from '../../../api/jobs.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { SelectionDialogProps } from '../SelectionActions.tsx'
import { buildSelectionBody } from '../selected.ts'
import { contactTexts } from '../texts.ts'

/** Deletes chosen contacts, or erases all that is kept of them: as a job of the service. */
export function DeleteContactsDialog({
  selection,
  rows,
  looked,
  onClose,
  isErasing = false,
}: SelectionDialogProps & { isErasing?: boolean }) {
  const t = useTranslator(contactTexts)
  const [done, setDone] = useState(0)
  const count = selection.count(rows.total)
  const remove = async (): Promise<void> => {
    const { response } = await apiClient.DELETE('/targets', {
      params: { query: isErasing ? { erase: true } : {} },
      headers: { prefer: 'respond-async' },
      body: buildSelectionBody(selection, looked),
    })
    await waitForJobResult(parseJobId(response), setDone)
    selection.clear()
    rows.reload()
    showToast(t(isErasing ? 'erasedMany' : 'deletedMany', { count }))
  }
  return (
    <ConfirmDialog
      title={t(isErasing ? 'eraseMany' : 'deleteMany', { count })}
      action={t(isErasing ? 'eraseNow' : 'deleteNow')}
      name={count > TYPED_CONFIRM_THRESHOLD ? t(isErasing ? 'eraseWord' : 'deleteWord') : undefined}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t(isErasing ? 'eraseManyWhy' : 'deleteManyWhy', { count })}</p>
      {done > 0 && <small role="status">{t('doneOf', { done, count })}</small>}
    </ConfirmDialog>
  )
}
