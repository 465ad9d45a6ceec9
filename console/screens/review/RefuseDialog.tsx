import { Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { type ApiApproval, useReloadApprovals } from './approval-calls.ts'
import { reviewTexts } from './texts.ts'

/** Asks for the reason of a refusal. */
export function RefuseDialog({ approval, onClose }: { approval: ApiApproval; onClose(): void }) {
  const t = useTranslator(reviewTexts)
  const navigate = useNavigate()
  const reloadApprovals = useReloadApprovals()
  const [reason, setReason] = useState('')
  const { id, object } = approval
  return (
    <ConfirmDialog
      title={t('refuseTitle', { name: object.name })}
      action={t('refuse')}
      onClose={onClose}
      onConfirm={async () => {
        const body = { decision: 'refuse' as const, comment: reason.trim() || null }
        await apiClient.decideApproval({ path: { id }, body })
        showToast(t('refuseDone', { name: object.name }))
        await reloadApprovals()
        await navigate({ to: '/approvals' })
      }}
    >
      <p>{t('refuseWhy')}</p>
      <Textarea
        label={t('reason')}
        data-autofocus
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
