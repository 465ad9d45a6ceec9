import { Button, Modal, Select, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Copy } from '../../components/Copy.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { partTexts } from '../../components/texts.ts'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { type Role, roleOf, useRoles } from './roles.ts'
import styles from './Settings.module.css'
import { settingsTexts } from './texts.ts'

/** What became of an invitation: mailed, or a link to hand over. */
function Sent({ invitation: { email, link } }: { invitation: Answer<'/people/invitations', 'post'> }) {
  const t = useText(settingsTexts)
  if (link === undefined) return <p role="status">{t('inviteMailed', { email })}</p>
  return (
    <div className={styles['stack']} role="status">
      <p>{t('inviteLink', { email })}</p>
      <Copy value={link} />
    </div>
  )
}

/** Invites somebody into the account. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const [t, parts] = [useText(settingsTexts), useText(partTexts)]
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('author')
  const [sent, setSent] = useState<Answer<'/people/invitations', 'post'>>()
  const roles = useRoles()
  const { error, isBusy, submit } = useAct(async () => {
    setSent(await data(api.POST('/people/invitations', { body: { email, role } })))
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
          {error !== null && <Problem error={error} />}
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
            onChange={(next) => setRole(roleOf(next))}
          />
          <Button type="submit" loading={isBusy}>
            {t('inviteSend')}
          </Button>
        </form>
      )}
    </Modal>
  )
}
