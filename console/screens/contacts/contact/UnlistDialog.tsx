import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { Confirm } from '../../../components/Confirm.tsx'
import { useText } from '../../../text/catalogue.ts'
import { contactPageTexts } from './texts.ts'
import { type RedListName, useListing } from './use-listing.ts'

/** Takes a contact off a red list, which asks for a reason that stays in the audit trail. */
export function UnlistDialog({ id, list, onClose }: { id: string; list: RedListName; onClose(): void }) {
  const t = useText(contactPageTexts)
  const { unlist } = useListing(id)
  const [reason, setReason] = useState('')
  return (
    <Confirm
      title={t('unlistTitle')}
      action={t('unlist')}
      isDangerous={false}
      onConfirm={() => unlist(list, reason.trim())}
      onClose={onClose}
    >
      <p>{t('unlistWhy')}</p>
      <Textarea
        data-autofocus
        label={t('reason')}
        placeholder={t('reasonExample')}
        maxLength={500}
        autosize
        minRows={2}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  )
}
