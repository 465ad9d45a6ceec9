import { Select } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../../api/client.ts'
import { useSegments } from '../../../api/definitions.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { SelectionDialog } from '../SelectionActions.tsx'
import { overSelected } from '../selected.ts'
import { contactTexts } from '../texts.ts'

/** Members of a static segment that one request takes. */
const BATCH = 50

/** Adds chosen contacts to a static segment. */
export function AddDialog({ selection, rows, looked, onClose }: SelectionDialog) {
  const t = useText(contactTexts)
  const segments = useSegments()
  const [segment, setSegment] = useState<string | null>(null)
  const [done, setDone] = useState(0)
  const count = selection.count(rows.total)
  const name = segments.data?.find(({ id }) => String(id) === segment)?.name ?? ''
  const put = async (ids: string[]): Promise<void> => {
    const params = { path: { id: segment! } }
    for (let first = 0; first < ids.length; first += BATCH)
      await data(api.PUT('/segments/{id}/targets', { params, body: ids.slice(first, first + BATCH) }))
  }
  const add = async (): Promise<void> => {
    if (segment === null) throw new Error(t('chooseSegment'))
    const moved = await overSelected(selection, looked, put, setDone)
    selection.clear()
    tell(t('addedTo', { count: moved, name }))
  }
  return (
    <Confirm
      title={t('addToSegment', { count })}
      action={t('add')}
      isDangerous={false}
      onConfirm={add}
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
      {done > 0 && <small role="status">{t('doneOf', { done, count })}</small>}
    </Confirm>
  )
}
