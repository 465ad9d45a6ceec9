import { Select } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { useSegments } from '../../../api/definitions.ts'
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { SelectionDialogProps } from '../selected.ts'
import { processSelectedContacts } from '../selected.ts'
import { contactTexts } from '../texts.ts'

/** Members of a static segment that one request takes. */
const BATCH_SIZE = 50

/** Adds chosen contacts to a static segment. */
export function AddToSegmentDialog({ selection, rows, looked: rowsQuery, onClose }: SelectionDialogProps) {
  const t = useTranslator(contactTexts)
  const segments = useSegments()
  const [segment, setSegment] = useState<string | null>(null)
  const [doneCount, setDoneCount] = useState(0)
  const count = selection.count(rows.total)
  const name = segments.data?.find(({ id }) => String(id) === segment)?.name ?? ''
  const addBatch = async (ids: string[]): Promise<void> => {
    const params = { path: { id: segment! } }
    for (let batchStart = 0; batchStart < ids.length; batchStart += BATCH_SIZE)
      await apiClient.addSegmentTargets({ ...params, body: ids.slice(batchStart, batchStart + BATCH_SIZE) })
  }
  const addToSegment = async (): Promise<void> => {
    if (segment === null) throw new Error(t('chooseSegment'))
    const addedCount = await processSelectedContacts(selection, rowsQuery, addBatch, setDoneCount)
    selection.clear()
    showToast(t('addedTo', { count: addedCount, name }))
  }
  return (
    <ConfirmDialog
      title={t('addToSegment', { count })}
      action={t('add')}
      isDangerous={false}
      onConfirm={addToSegment}
      onClose={onClose}
    >
      <Select
        data-autofocus
        searchable
        label={t('staticSegment')}
        placeholder={t('chooseSegment')}
        data={
          segments.data
            ?.filter(({ type }) => type === 'static')
            .map(({ id, name: label }) => ({ value: String(id), label })) ?? []
        }
        value={segment}
        onChange={setSegment}
      />
      {doneCount > 0 && <small role="status">{t('doneOf', { done: doneCount, count })}</small>}
    </ConfirmDialog>
  )
}
