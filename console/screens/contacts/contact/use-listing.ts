import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Contact } from '../contact-columns.tsx'
import { contactPageTexts } from './texts.ts'

export type RedListName = 'mail' | 'sms'
type Flag = NonNullable<Contact['bounce']>[number]

/** Puts a contact on a red list and takes it off; clears what bounced. What can be taken back offers it. */
export function useListing(id: string) {
  const t = useText(contactPageTexts)
  const queries = useQueryClient()
  const read = () => queries.invalidateQueries({ queryKey: ['contact', id] })
  const path = { path: { id } }
  const unlist = async (name: RedListName, reason: string): Promise<void> => {
    const body = { reason }
    const call =
      name === 'mail'
        ? api.DELETE('/targets/{id}/redlist/mail', { params: path, body })
        : api.DELETE('/targets/{id}/redlist/sms', { params: path, body })
    await data(call)
    await read()
  }
  const list = async (name: RedListName): Promise<void> => {
    const call =
      name === 'mail'
        ? api.POST('/targets/{id}/redlist/mail', { params: path, body: {} })
        : api.POST('/targets/{id}/redlist/sms', { params: path, body: {} })
    await data(call)
    await read()
    tell(t('listed'), () => void unlist(name, t('takenBack')))
  }
  const clear = async ({ field, type, timestamp, reason }: Flag): Promise<void> => {
    const params = { path: { id, fieldId: String(field) } }
    await data(api.DELETE('/targets/{id}/bounces/{fieldId}', { params }))
    await read()
    tell(t('cleared'), () => {
      const body = { type, timestamp, detail: { message: reason } }
      void data(api.PUT('/targets/{id}/bounces/{fieldId}', { params, body })).then(read)
    })
  }
  return { list, unlist, clear }
}
