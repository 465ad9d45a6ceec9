import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { data, door } from '../../api/client.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Password } from '../../components/Password.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { Door } from '../sign-in/Door.tsx'
import { LinkOver } from '../sign-in/LinkOver.tsx'
import { setUpTexts } from './texts.ts'

/** The first person of an installation, by the link that the first start prints. */
export function FirstPerson({ token }: { token: string }) {
  const t = useText(setUpTexts)
  const [given, setGiven] = useState({ name: '', email: '', password: '' })
  const change = (member: keyof typeof given) => (event: React.ChangeEvent<HTMLInputElement>) =>
    setGiven({ ...given, [member]: event.currentTarget.value })
  const { error, isBusy, submit } = useAct(async () => {
    await data(door.POST('/auth/setup', { body: { token, ...given } }))
    location.assign('/console/?set-up')
  })
  return (
    <LinkOver error={error}>
      <Door title={t('firstTitle')} lead={t('firstWhy')}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            {error !== null && <Problem error={error} />}
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
            <Password
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
      </Door>
    </LinkOver>
  )
}
