import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { PeopleRules } from './PeopleRules.tsx'
import { PersonLine } from './PersonLine.tsx'
import styles from './Settings.module.css'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsTexts } from './texts.ts'

type Invited = Answer<'/people/invitations', 'get'>[number]

function InvitedLine({ invitation: { id, email, role, expiresAt } }: { invitation: Invited }) {
  const t = useText(settingsTexts)
  const queries = useQueryClient()
  const takeBack = useAct(async () => {
    await data(api.DELETE('/people/invitations/{id}', { params: { path: { id } } }))
    tell(t('invitationTaken', { email }))
    await queries.invalidateQueries({ queryKey: ['invitations'] })
  })
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <strong>{email}</strong>
        <small>
          {t(role)} · {t('expires')} <Time at={expiresAt} as="moment" />
        </small>
      </span>
      <Button variant="default" size="compact-sm" loading={takeBack.isBusy} onClick={() => void takeBack.run()}>
        {t('takeBack')}
      </Button>
      {takeBack.error !== null && <Problem error={takeBack.error} />}
    </li>
  )
}

function Invitations() {
  const t = useText(settingsTexts)
  const read = useQuery({
    queryKey: ['invitations'],
    queryFn: ({ signal }) => data(api.GET('/people/invitations', { signal })),
  })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data || read.data.length === 0) return null
  return (
    <Panel title={t('invited')}>
      <ul className={styles['lines']}>
        {read.data.map((invitation) => (
          <InvitedLine key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Panel>
  )
}

function Members() {
  const t = useText(settingsTexts)
  const read = useQuery({ queryKey: ['people'], queryFn: ({ signal }) => data(api.GET('/people', { signal })) })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  if (read.data.length === 0) return <Empty title={t('nobody')}>{t('nobodyWhy')}</Empty>
  return (
    <ul className={styles['lines']} aria-label={t('people')}>
      {read.data.map((person) => (
        <PersonLine key={person.id} person={person} />
      ))}
    </ul>
  )
}

/** Who may do what in the account, who is invited, and what the account asks of them. */
export function People() {
  const t = useText(settingsTexts)
  const [isInviting, setInviting] = useState(false)
  if (!useMay('admin'))
    return (
      <SettingsPage>
        <Empty title={t('adminsOnly')} />
      </SettingsPage>
    )
  return (
    <SettingsPage action={<Button onClick={() => setInviting(true)}>{t('invite')}</Button>}>
      <div className={styles['parts']}>
        <Members />
        <Invitations />
        <PeopleRules />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </SettingsPage>
  )
}
