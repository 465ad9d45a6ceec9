import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { componentTexts } from '../../components/texts.ts'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { parseUserRole, type UserRole, useRoleChoices } from './roles.ts'
import styles from './Settings.module.css'
import { settingsScreenTexts } from './texts.ts'

/** What became of an invitation: mailed, or a link to hand over. */
function Sent({ invitation: { email, link } }: { invitation: ApiAnswer<'/people/invitations', 'post'> }) {
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
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<UserRole>('author')
  const [sent, setSent] = useState<ApiAnswer<'/people/invitations', 'post'>>()
  const roles = useRoleChoices()
  const { error, isBusy, submit } = useAsyncAction(async () => {
    setSent(await readAnswer(apiClient.POST('/people/invitations', { body: { email, role } })))
    await queries.invalidateQueries({ queryKey: ['invitations'] })
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('inviteTitle')}
      size={460}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      {sent ? (
        <div className={styles['stack']}>
          <Sent invitation={sent} />
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
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Select
            label={t('role')}
            description={t(`${role}Why`)}
            allowDeselect={false}
            data={roles}
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
