import { Button, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { data, door } from '../../api/client.ts'
import type { Answer, SignInState } from '../../api/shapes.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Password } from '../../components/Password.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { Door } from './Door.tsx'
import { LinkOver } from './LinkOver.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { signInTexts } from './texts.ts'

type Shown = Answer<'/auth/invitations', 'post'>

function Acceptance({ token, invitation }: { token: string; invitation: Shown }) {
  const t = useText(signInTexts)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [answer, setAnswer] = useState<SignInState>()
  const enter = (): void => location.assign(`/console/${invitation.account.code}/`)
  const { error, isBusy, submit } = useAct(async () => {
    const body = invitation.known ? { token, password } : { token, name, password }
    const answered = await data(door.POST('/auth/invitations/acceptance', { body }))
    if (answered.state === 'done') enter()
    else setAnswer(answered)
  })
  if (answer) return <SecondFactor methods={answer.methods ?? []} onDone={enter} />
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {error !== null && <Problem error={error} />}
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
        <Password
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
export function Invitation({ token }: { token: string }) {
  const t = useText(signInTexts)
  const format = useFormat()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => data(door.POST('/auth/invitations', { body: { token } })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (invitation.error) {
    return (
      <LinkOver error={invitation.error}>
        <Door title={t('heading')}>
          <Problem error={invitation.error} onRetry={() => void invitation.refetch()} />
        </Door>
      </LinkOver>
    )
  }
  if (!invitation.data) return null
  const { account, role, expiresAt } = invitation.data
  const name = account.name || account.code
  return (
    <Door
      title={t('accept', { account: name })}
      lead={t('acceptWhy', { account: name, role: t(role), when: format.dateTime(expiresAt) })}
    >
      <Acceptance token={token} invitation={invitation.data} />
    </Door>
  )
}
