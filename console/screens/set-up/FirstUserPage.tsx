import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readAnswer, signInClient } from '../../api/client.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { ExpiredLink } from '../sign-in/ExpiredLink.tsx'
import { PublicPageCard } from '../sign-in/PublicPageCard.tsx'
import { setUpTexts } from './texts.ts'

/** The first person of an installation, by the link that the first start prints. */
export function FirstUserPage({ token }: { token: string }) {
  const t = useTranslator(setUpTexts)
  const [given, setGiven] = useState({ name: '', email: '', password: '' })
  const change = (member: keyof typeof given) => (event: React.ChangeEvent<HTMLInputElement>) =>
    setGiven({ ...given, [member]: event.currentTarget.value })
  const { error, isBusy, submit } = useAsyncAction(async () => {
    await readAnswer(signInClient.POST('/auth/setup', { body: { token, ...given } }))
    location.assign('/console/?set-up')
  })
  return (
    <ExpiredLink error={error}>
      <PublicPageCard title={t('firstTitle')} lead={t('firstWhy')}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            {error !== null && <ProblemAlert error={error} />}
            <TextInput
              required
              label={t('name')}
              autoComplete="name"
              autoFocus
              value={given.name}
              onChange={change('name')}
            />
            <TextInput
              required
              label={t('email')}
              type="email"
              autoComplete="username"
              value={given.email}
              onChange={change('email')}
            />
            <PasswordField
              required
              label={t('password')}
              description={t('passwordRule')}
              autoComplete="new-password"
              value={given.password}
              onChange={change('password')}
            />
            <Button type="submit" size="sm" loading={isBusy}>
              {t('start')}
            </Button>
          </Stack>
        </form>
      </PublicPageCard>
    </ExpiredLink>
  )
}
