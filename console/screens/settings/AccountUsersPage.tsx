import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { AccountUserLine } from './AccountUserLine.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import styles from './Settings.module.css'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsScreenTexts } from './texts.ts'
import { UserSecurityRules } from './UserSecurityRules.tsx'

type Invited = ApiAnswer<'/people/invitations', 'get'>[number]

function InvitedLine({ invitation: { id, email, role, expiresAt } }: { invitation: Invited }) {
  const t = useTranslator(settingsScreenTexts)
  const queries = useQueryClient()
  const takeBack = useAsyncAction(async () => {
    await readAnswer(apiClient.DELETE('/people/invitations/{id}', { params: { path: { id } } }))
    showToast(t('invitationTaken', { email }))
    await queries.invalidateQueries({ queryKey: ['invitations'] })
  })
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <strong>{email}</strong>
        <small>
          {t(role)} · {t('expires')} <FormattedTime at={expiresAt} as="moment" />
        </small>
      </span>
      <Button variant="default" size="compact-sm" loading={takeBack.isBusy} onClick={() => void takeBack.run()}>
        {t('takeBack')}
      </Button>
      {takeBack.error !== null && <ProblemAlert error={takeBack.error} />}
    </li>
  )
}

function Invitations() {
  const t = useTranslator(settingsScreenTexts)
  const read = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/people/invitations', { signal })),
  })
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data || read.data.length === 0) return null
  return (
    <PagePanel title={t('invited')}>
      <ul className={styles['lines']}>
        {read.data.map((invitation) => (
          <InvitedLine key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </PagePanel>
  )
}

function Members() {
  const t = useTranslator(settingsScreenTexts)
  const read = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/people', { signal })),
  })
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingSkeleton />
  if (read.data.length === 0) return <EmptyState title={t('nobody')}>{t('nobodyWhy')}</EmptyState>
  return (
    <ul className={styles['lines']} aria-label={t('people')}>
      {read.data.map((person) => (
        <AccountUserLine key={person.id} person={person} />
      ))}
    </ul>
  )
}

/** Who may do what in the account, who is invited, and what the account asks of them. */
export function AccountUsersPage() {
  const t = useTranslator(settingsScreenTexts)
  const [isInviting, setInviting] = useState(false)
  if (!useHasRight('admin'))
    return (
      <SettingsPage>
        <EmptyState title={t('adminsOnly')} />
      </SettingsPage>
    )
  return (
    <SettingsPage action={<Button onClick={() => setInviting(true)}>{t('invite')}</Button>}>
      <div className={styles['parts']}>
        <Members />
        <Invitations />
        <UserSecurityRules />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </SettingsPage>
  )
}
