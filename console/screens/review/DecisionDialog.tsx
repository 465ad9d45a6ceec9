import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { type Approval, useReadAnew } from './approval-calls.ts'
import { reviewTexts } from './texts.ts'

export type Decision = 'approve' | 'refuse'

interface Props {
  approval: Approval
  decision: Decision
  onClose(): void
}

/** A person's word, with why. */
export function DecisionDialog({ approval, decision, onClose }: Props) {
  const t = useText(reviewTexts)
  const readAnew = useReadAnew()
  const [comment, setComment] = useState('')
  const { id, object, audience } = approval
  const { name } = object
  const close = (): void => {
    onClose()
    void readAnew()
  }
  return (
    <Confirm
      title={t(`${decision}Title`, { name })}
      action={t(decision)}
      isDangerous={decision === 'refuse'}
      onClose={close}
      onConfirm={async () => {
        const body = { decision, comment: comment.trim() || null }
        await data(api.POST('/approvals/{id}/decision', { params: { path: { id } }, body }))
        tell(t(`${decision}Done`, { name }))
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
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </Confirm>
  )
}
