import { useQueryClient } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ListedApiContact } from '../contact-columns.tsx'
import { contactPageTexts } from './texts.ts'

export type ApiRedListName = 'mail' | 'sms'
type BounceFlag = NonNullable<ListedApiContact['bounce']>[number]

/** Puts a contact on a red list and takes it off; clears what bounced. What can be taken back offers it. */
export function useContactRedLists(id: string) {
  const t = useTranslator(contactPageTexts)
  const queryClient = useQueryClient()
  const reloadContact = () => queryClient.invalidateQueries({ queryKey: ['contact', id] })
  const path = { path: { id } }
  const removeFromRedList = async (name: ApiRedListName, reason: string): Promise<void> => {
    const body = { reason }
    if (name === 'mail') await apiClient.removeTargetFromMailRedList({ ...path, body })
    else await apiClient.removeTargetFromSmsRedList({ ...path, body })
    await reloadContact()
  }
  const addToRedList = async (name: ApiRedListName): Promise<void> => {
    if (name === 'mail') await apiClient.addTargetToMailRedList({ ...path, body: {} })
    else await apiClient.addTargetToSmsRedList({ ...path, body: {} })
    await reloadContact()
    showToast(t('listed'), () => void removeFromRedList(name, t('takenBack')))
  }
  const clearBounceFlag = async ({ field, type, timestamp, reason }: BounceFlag): Promise<void> => {
    const params = { path: { id, fieldId: String(field) } }
    await apiClient.deleteTargetBounce(params)
    await reloadContact()
    showToast(t('cleared'), () => {
      const body = { type, timestamp, detail: { message: reason } }
      void apiClient.setTargetBounce({ ...params, body }).then(reloadContact)
    })
  }
  return { list: addToRedList, unlist: removeFromRedList, clear: clearBounceFlag }
}
