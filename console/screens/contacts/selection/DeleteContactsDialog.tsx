import { useState } from 'react'
import { apiClient, readFullAnswer } from '../../../api/client.ts'
import { parseJobId, waitForJobResult } from '../../../api/jobs.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { SelectionDialogProps } from '../selected.ts'
import { buildSelectionBody } from '../selected.ts'
import { contactTexts } from '../texts.ts'

/** Deletes chosen contacts, or erases all that is kept of them: as a job of the service. */
export function DeleteContactsDialog({
  selection,
  rows,
  looked: rowsQuery,
  onClose,
  isErasing = false,
}: SelectionDialogProps & { isErasing?: boolean }) {
  const t = useTranslator(contactTexts)
  const [doneCount, setDoneCount] = useState(0)
  const count = selection.count(rows.total)
  const deleteContacts = async (): Promise<void> => {
    const { response } = await readFullAnswer(apiClient.deleteTargets, {
      query: isErasing ? { erase: true } : {},
      headers: { prefer: 'respond-async' },
      body: buildSelectionBody(selection, rowsQuery),
    })
    await waitForJobResult(parseJobId(response), setDoneCount)
    selection.clear()
    rows.reload()
    showToast(t(isErasing ? 'erasedMany' : 'deletedMany', { count }))
  }
  return (
    <ConfirmDialog
      title={t(isErasing ? 'eraseMany' : 'deleteMany', { count })}
      action={t(isErasing ? 'eraseNow' : 'deleteNow')}
      name={count > TYPED_CONFIRM_THRESHOLD ? t(isErasing ? 'eraseWord' : 'deleteWord') : undefined}
      onConfirm={deleteContacts}
      onClose={onClose}
    >
      <p>{t(isErasing ? 'eraseManyWhy' : 'deleteManyWhy', { count })}</p>
      {doneCount > 0 && <small role="status">{t('doneOf', { done: doneCount, count })}</small>}
    </ConfirmDialog>
  )
}
