import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { SelectionDialogProps } from '../selected.ts'
import { processSelectedContacts } from '../selected.ts'
import { contactTexts } from '../texts.ts'

/** Requests at once. */
const MAX_PARALLEL_REQUESTS = 8

type RedListKind = 'mail' | 'sms'
const ADD_OPERATIONS = { mail: 'addTargetToMailRedList', sms: 'addTargetToSmsRedList' } as const

/** Puts chosen contacts on a red list. */
export function RedListContactsDialog({ selection, rows, looked: rowsQuery, onClose }: SelectionDialogProps) {
  const t = useTranslator(contactTexts)
  const [redListKind, setRedListKind] = useState<RedListKind>('mail')
  const [doneCount, setDoneCount] = useState(0)
  const count = selection.count(rows.total)
  const addContacts = async (): Promise<void> => {
    let listedCount = 0
    const addBatch = async (ids: string[]): Promise<void> => {
      for (let batchStart = 0; batchStart < ids.length; batchStart += MAX_PARALLEL_REQUESTS) {
        const idBatch = ids.slice(batchStart, batchStart + MAX_PARALLEL_REQUESTS)
        await Promise.all(idBatch.map((id) => apiClient[ADD_OPERATIONS[redListKind]]({ path: { id }, body: {} })))
        listedCount += idBatch.length
        setDoneCount(listedCount)
      }
    }
    await processSelectedContacts(selection, rowsQuery, addBatch, setDoneCount)
    selection.clear()
    rows.reload()
    showToast(t('stoppedMany', { count: listedCount }))
  }
  return (
    <ConfirmDialog
      title={t('stopMany', { count })}
      action={t('stopNow')}
      name={count > TYPED_CONFIRM_THRESHOLD ? t('stopWord') : undefined}
      onConfirm={addContacts}
      onClose={onClose}
    >
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('channel')}
        data={(['mail', 'sms'] as const).map((value) => ({ value, label: t(value) }))}
        value={redListKind}
        onChange={(value) => setRedListKind(value as RedListKind)}
      />
      <p>{t('stopManyWhy', { count })}</p>
      {doneCount > 0 && <small role="status">{t('doneOf', { done: doneCount, count })}</small>}
    </ConfirmDialog>
  )
}
