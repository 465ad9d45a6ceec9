import { Button, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signInClient } from '../../api/client.ts'
import type { ApiAnswer, ApiSignInState } from '../../api/shapes.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { ExpiredLink } from './ExpiredLink.tsx'
import { PublicPageCard } from './PublicPageCard.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { signInTexts } from './texts.ts'

type InvitationAnswer = ApiAnswer<'showInvitation'>

function AcceptanceForm({ token, invitation }: { token: string; invitation: InvitationAnswer }) {
  const t = useTranslator(signInTexts)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [signInState, setAnswer] = useState<ApiSignInState>()
  const openAccount = (): void => location.assign(`/console/${invitation.account.code}/`)
  const { error, isBusy, submit } = useAsyncAction(async () => {
    const body = invitation.known ? { token, password } : { token, name, password }
    const acceptanceAnswer = await signInClient.acceptInvitationByLink({ body })
    if (acceptanceAnswer.state === 'done') openAccount()
    else setAnswer(acceptanceAnswer)
  })
  if (signInState) return <SecondFactorForm methods={signInState.methods ?? []} onDone={openAccount} />
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {error !== null && <ProblemAlert error={error} />}
        <TextInput required label={t('email')} value={invitation.email} readOnly autoComplete="username" />
        {!invitation.known && (
          <TextInput
            required
            label={t('name')}
            autoComplete="name"
            autoFocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <PasswordField
          required
          label={t('password')}
          description={t(invitation.known ? 'acceptKnown' : 'passwordRule')}
          autoComplete={invitation.known ? 'current-password' : 'new-password'}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={isBusy}>
          {t('continue')}
        </Button>
      </Stack>
    </form>
  )
}

/** Joins an account by the link of an invitation. */
export function InvitationPage({ token }: { token: string }) {
  const t = useTranslator(signInTexts)
  const format = useLocaleFormat()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => signInClient.showInvitation({ body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (invitation.error) {
    return (
      <ExpiredLink error={invitation.error}>
        <PublicPageCard title={t('heading')}>
          <ProblemAlert error={invitation.error} onRetry={() => void invitation.refetch()} />
        </PublicPageCard>
      </ExpiredLink>
    )
  }
  if (!invitation.data) return null
  const { account, role, expiresAt } = invitation.data
  const name = account.name || account.code
  return (
    <PublicPageCard
      title={t('accept', { account: name })}
      lead={t('acceptWhy', { account: name, role: t(role), when: format.dateTime(expiresAt) })}
    >
      <AcceptanceForm token={token} invitation={invitation.data} />
    </PublicPageCard>
  )
}
