import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { componentTexts } from '../../components/texts.ts'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { parseUserRole, type UserRole, useRoleChoices } from './roles.ts'
import styles from './Settings.module.css'
import { settingsScreenTexts } from './texts.ts'

/** Result of an invitation: sent by mail, or a link to pass on. */
function InvitationResult({ invitation: { email, link } }: { invitation: ApiAnswer<'createInvitation'> }) {
  const t = useTranslator(settingsScreenTexts)
  if (link === undefined) return <p role="status">{t('inviteMailed', { email })}</p>
  return (
    <div className={styles['stack']} role="status">
      <p>{t('inviteLink', { email })}</p>
      <CopyButton value={link} />
    </div>
  )
}

/** Invites somebody into the account. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const [t, parts] = [useTranslator(settingsScreenTexts), useTranslator(componentTexts)]
  const queryClient = useQueryClient()
  const [emailAddress, setEmailAddress] = useState('')
  const [role, setRole] = useState<UserRole>('author')
  const [sentInvitation, setSentInvitation] = useState<ApiAnswer<'createInvitation'>>()
  const roleChoices = useRoleChoices()
  const { error, isBusy, submit } = useAsyncAction(async () => {
    setSentInvitation(await apiClient.createInvitation({ body: { email: emailAddress, role } }))
    await queryClient.invalidateQueries({ queryKey: ['invitations'] })
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('inviteTitle')}
      size={460}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      {sentInvitation ? (
        <div className={styles['stack']}>
          <InvitationResult invitation={sentInvitation} />
          <Button onClick={onClose}>{parts('close')}</Button>
        </div>
      ) : (
        <form onSubmit={submit} className={styles['stack']}>
          {error !== null && <ProblemAlert error={error} />}
          <TextInput
            required
            type="email"
            label={t('email')}
            data-autofocus
            value={emailAddress}
            onChange={(event) => setEmailAddress(event.currentTarget.value)}
          />
          <Select
            label={t('role')}
            description={t(`${role}Why`)}
            allowDeselect={false}
            data={roleChoices}
            value={role}
            onChange={(next) => setRole(parseUserRole(next))}
          />
          <Button type="submit" loading={isBusy}>
            {t('inviteSend')}
          </Button>
        </form>
      )}
    </Modal>
  )
}
