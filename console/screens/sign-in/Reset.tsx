import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { data, door } from '../../api/client.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Password } from '../../components/Password.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { Door } from './Door.tsx'
import { LinkOver } from './LinkOver.tsx'
import { signInTexts } from './texts.ts'

/** Asks for a link by mail; the answer is the same whether anybody has this address. */
export function ResetRequest() {
  const t = useText(signInTexts)
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const { error, isBusy, submit } = useAct(async () => {
    await data(door.POST('/auth/reset', { body: { email } }))
    setSent(true)
  })
  const back = (
    <Anchor href="/console/sign-in" size="sm">
      {t('back')}
    </Anchor>
  )
  if (isSent) {
    return (
      <Door title={t('resetSent')} lead={t('resetSentWhy', { email })}>
        {back}
      </Door>
    )
  }
  return (
    <Door title={t('reset')} lead={t('resetWhy')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {error !== null && <Problem error={error} />}
          <TextInput
            required
            label={t('email')}
            type="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" size="sm" loading={isBusy}>
            {t('resetSend')}
          </Button>
          {back}
        </Stack>
      </form>
    </Door>
  )
}

/** Chooses a new password, by the link of the mail. */
export function NewPassword({ token }: { token: string }) {
  const t = useText(signInTexts)
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const { error, isBusy, submit } = useAct(async () => {
    await data(door.POST('/auth/reset/password', { body: { token, password } }))
    setDone(true)
  })
  if (isDone) {
    return (
      <Door title={t('resetDone')} lead={t('resetDoneWhy')}>
        <Button component="a" href="/console/sign-in" size="sm">
          {t('signIn')}
        </Button>
      </Door>
    )
  }
  return (
    <LinkOver error={error}>
      <Door title={t('reset')}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            {error !== null && <Problem error={error} />}
            <Password
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
      </Door>
    </LinkOver>
  )
}
