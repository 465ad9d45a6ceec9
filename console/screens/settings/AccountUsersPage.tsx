import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
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

type PendingInvitation = ApiAnswer<'listInvitations'>[number]

function InvitationLine({ invitation: { id, email, role, expiresAt } }: { invitation: PendingInvitation }) {
  const t = useTranslator(settingsScreenTexts)
  const queryClient = useQueryClient()
  const revokeInvitation = useAsyncAction(async () => {
    await apiClient.withdrawInvitation({ path: { id } })
    showToast(t('invitationTaken', { email }))
    await queryClient.invalidateQueries({ queryKey: ['invitations'] })
  })
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <strong>{email}</strong>
        <small>
          {t(role)} · {t('expires')} <FormattedTime at={expiresAt} as="moment" />
        </small>
      </span>
      <Button
        variant="default"
        size="compact-sm"
        loading={revokeInvitation.isBusy}
        onClick={() => void revokeInvitation.run()}
      >
        {t('takeBack')}
      </Button>
      {revokeInvitation.error !== null && <ProblemAlert error={revokeInvitation.error} />}
    </li>
  )
}

function InvitationList() {
  const t = useTranslator(settingsScreenTexts)
  const invitationsQuery = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => apiClient.listInvitations({ signal }),
  })
  if (invitationsQuery.error)
    return <ProblemAlert error={invitationsQuery.error} onRetry={() => void invitationsQuery.refetch()} />
  if (!invitationsQuery.data || invitationsQuery.data.length === 0) return null
  return (
    <PagePanel title={t('invited')}>
      <ul className={styles['lines']}>
        {invitationsQuery.data.map((invitation) => (
          <InvitationLine key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </PagePanel>
  )
}

function MemberList() {
  const t = useTranslator(settingsScreenTexts)
  const membersQuery = useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => apiClient.listPeople({ signal }),
  })
  if (membersQuery.error) return <ProblemAlert error={membersQuery.error} onRetry={() => void membersQuery.refetch()} />
  if (!membersQuery.data) return <LoadingSkeleton />
  if (membersQuery.data.length === 0) return <EmptyState title={t('nobody')}>{t('nobodyWhy')}</EmptyState>
  return (
    <ul className={styles['lines']} aria-label={t('people')}>
      {membersQuery.data.map((person) => (
        <AccountUserLine key={person.id} person={person} />
      ))}
    </ul>
  )
}

/** Users of the account with their roles, pending invitations, and security rules. */
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
        <MemberList />
        <InvitationList />
        <UserSecurityRules />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </SettingsPage>
  )
}
