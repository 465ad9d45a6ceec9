import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { apiClient } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { contactPageTexts } from './texts.ts'

interface Props {
  id: string
  name: string
  /** Everything of the person goes; otherwise what was sent and done stays. */
  isErasing: boolean
  onClose(): void
}

/** Before a contact is deleted or erased, neither of which can be undone: its name is typed for the latter. */
export function EraseDialog({ id, name, isErasing, onClose }: Props) {
  const t = useTranslator(contactPageTexts)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const removeContact = async (): Promise<void> => {
    const query = isErasing ? { erase: true } : {}
    await apiClient.deleteTarget({ path: { id }, query })
    showToast(t(isErasing ? 'erased' : 'deleted', { name }))
    await navigate({ to: '/contacts' })
    queryClient.removeQueries({ queryKey: ['contact', id] })
  }
  return (
    <ConfirmDialog
      title={t(isErasing ? 'eraseTitle' : 'deleteTitle', { name })}
      action={t(isErasing ? 'erase' : 'delete')}
      name={isErasing ? name : undefined}
      onConfirm={removeContact}
      onClose={onClose}
    >
      <p>{t(isErasing ? 'eraseWhy' : 'deleteWhy')}</p>
    </ConfirmDialog>
  )
}
