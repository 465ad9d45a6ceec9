import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
import { ConfirmDialog, TYPED_CONFIRM_THRESHOLD } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { SelectionDialogProps } from '../SelectionActions.tsx'
import { processSelectedContacts } from '../selected.ts'
import { contactTexts } from '../texts.ts'

/** Requests at once. */
const AT_ONCE = 8

type List = 'mail' | 'sms'
const PATHS = { mail: '/targets/{id}/redlist/mail', sms: '/targets/{id}/redlist/sms' } as const

/** Puts chosen contacts on a red list. */
export function RedListContactsDialog({ selection, rows, looked, onClose }: SelectionDialogProps) {
  const t = useTranslator(contactTexts)
  const [list, setList] = useState<List>('mail')
  const [done, setDone] = useState(0)
  const count = selection.count(rows.total)
  const stop = async (): Promise<void> => {
    let listed = 0
    const put = async (ids: string[]): Promise<void> => {
      for (let first = 0; first < ids.length; first += AT_ONCE) {
        const some = ids.slice(first, first + AT_ONCE)
        await Promise.all(some.map((id) => apiClient.POST(PATHS[list], { params: { path: { id } }, body: {} })))
        listed += some.length
        setDone(listed)
      }
    }
    await processSelectedContacts(selection, looked, put, setDone)
    selection.clear()
    rows.reload()
    showToast(t('stoppedMany', { count: listed }))
  }
  return (
    <ConfirmDialog
      title={t('stopMany', { count })}
      action={t('stopNow')}
      name={count > TYPED_CONFIRM_THRESHOLD ? t('stopWord') : undefined}
      onConfirm={stop}
      onClose={onClose}
    >
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('channel')}
        data={(['mail', 'sms'] as const).map((value) => ({ value, label: t(value) }))}
        value={list}
        onChange={(value) => setList(value as List)}
      />
      <p>{t('stopManyWhy', { count })}</p>
      {done > 0 && <small role="status">{t('doneOf', { done, count })}</small>}
    </ConfirmDialog>
  )
}
