import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { signInClient } from '../../api/client.ts'
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
  const [enteredUser, setEnteredUser] = useState({ name: '', email: '', password: '' })
  const createChangeHandler = (member: keyof typeof enteredUser) => (event: React.ChangeEvent<HTMLInputElement>) =>
    setEnteredUser({ ...enteredUser, [member]: event.currentTarget.value })
  const { error, isBusy, submit } = useAsyncAction(async () => {
    await signInClient.setUpFirstPerson({ body: { token, ...enteredUser } })
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
              value={enteredUser.name}
              onChange={createChangeHandler('name')}
            />
            <TextInput
              required
              label={t('email')}
              type="email"
              autoComplete="username"
              value={enteredUser.email}
              onChange={createChangeHandler('email')}
            />
            <PasswordField
              required
              label={t('password')}
              description={t('passwordRule')}
              autoComplete="new-password"
              value={enteredUser.password}
              onChange={createChangeHandler('password')}
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
