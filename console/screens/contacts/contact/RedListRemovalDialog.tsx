import { Checkbox, Textarea } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { contactPageTexts } from './texts.ts'
import { type ApiRedListName, useContactRedLists } from './use-listing.ts'

/** Subscribes a contact again once somebody confirms the consent, with how it was given for the audit trail. */
export function RedListRemovalDialog({ id, list, onClose }: { id: string; list: ApiRedListName; onClose(): void }) {
  const t = useTranslator(contactPageTexts)
  const { unlist } = useContactRedLists(id)
  const [reason, setReason] = useState('')
  return (
    <ConfirmDialog
      title={t('unlistTitle')}
      action={t('subscribeAgain')}
      isDangerous={false}
      onConfirm={() => unlist(list, reason.trim())}
      onClose={onClose}
    >
      <p>{t('unlistWhy')}</p>
      <Checkbox data-autofocus required label={t('consent')} />
      <Textarea
        required
        label={t('reason')}
        placeholder={t('reasonExample')}
        maxLength={500}
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  )
}
