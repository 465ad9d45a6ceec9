import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { type ApiApproval, useReloadApprovals } from './approval-calls.ts'
import { reviewTexts } from './texts.ts'

export type ApprovalDecisionKind = 'approve' | 'refuse'

interface Props {
  approval: ApiApproval
  decision: ApprovalDecisionKind
  onClose(): void
}

/** A person's word, with why. */
export function ApprovalDecisionDialog({ approval, decision, onClose }: Props) {
  const t = useTranslator(reviewTexts)
  const reloadApprovals = useReloadApprovals()
  const [commentText, setComment] = useState('')
  const { id, object, audience } = approval
  const { name } = object
  const closeAndReload = (): void => {
    onClose()
    void reloadApprovals()
  }
  return (
    <ConfirmDialog
      title={t(`${decision}Title`, { name })}
      action={t(decision)}
      isDangerous={decision === 'refuse'}
      onClose={closeAndReload}
      onConfirm={async () => {
        const body = { decision, comment: commentText.trim() || null }
        await apiClient.decideApproval({ path: { id }, body })
        showToast(t(`${decision}Done`, { name }))
      }}
    >
      <p>
        {t(`${decision}Why`)}
        {decision === 'approve' && audience !== null && ` ${t('audience', { count: audience })}.`}
      </p>
      <Textarea
        label={t('comment')}
        data-autofocus
        autosize
        minRows={2}
        value={commentText}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
