import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { signInClient } from '../../api/client.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { ExpiredLink } from './ExpiredLink.tsx'
import { PublicPageCard } from './PublicPageCard.tsx'
import { signInTexts } from './texts.ts'

/** Asks for a link by mail; the answer is the same whether anybody has this address. */
export function PasswordResetPage() {
  const t = useTranslator(signInTexts)
  const [emailAddress, setEmailAddress] = useState('')
  const [isSent, setSent] = useState(false)
  const { error, isBusy, submit } = useAsyncAction(async () => {
    await signInClient.requestPasswordReset({ body: { email: emailAddress } })
    setSent(true)
  })
  const backLink = (
    <Anchor href="/console/sign-in" size="sm">
      {t('back')}
    </Anchor>
  )
  if (isSent) {
    return (
      <PublicPageCard title={t('resetSent')} lead={t('resetSentWhy', { email: emailAddress })}>
        {backLink}
      </PublicPageCard>
    )
  }
  return (
    <PublicPageCard title={t('reset')} lead={t('resetWhy')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {error !== null && <ProblemAlert error={error} />}
          <TextInput
            required
            label={t('email')}
            type="email"
            autoComplete="username"
            autoFocus
            value={emailAddress}
            onChange={(event) => setEmailAddress(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" loading={isBusy}>
            {t('resetSend')}
          </Button>
          {backLink}
        </Stack>
      </form>
    </PublicPageCard>
  )
}

/** Chooses a new password, by the link of the mail. */
export function NewPasswordPage({ token }: { token: string }) {
  const t = useTranslator(signInTexts)
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const { error, isBusy, submit } = useAsyncAction(async () => {
    await signInClient.resetPasswordByLink({ body: { token, password } })
    setDone(true)
  })
  if (isDone) {
    return (
      <PublicPageCard title={t('resetDone')} lead={t('resetDoneWhy')}>
        <Button component="a" href="/console/sign-in" size="sm">
          {t('signIn')}
        </Button>
      </PublicPageCard>
    )
  }
  return (
    <ExpiredLink error={error}>
      <PublicPageCard title={t('reset')}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            {error !== null && <ProblemAlert error={error} />}
            <PasswordField
              required
              label={t('newPassword')}
              description={t('passwordRule')}
              autoComplete="new-password"
              autoFocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <Button type="submit" size="sm" loading={isBusy}>
              {t('save')}
            </Button>
          </Stack>
        </form>
      </PublicPageCard>
    </ExpiredLink>
  )
}
