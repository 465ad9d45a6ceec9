import { Button, Divider, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { data, door } from '../../api/client.ts'
import type { SignInState } from '../../api/shapes.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Password } from '../../components/Password.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { askPasskey, hasPasskeys } from './passkeys.ts'
import { SecondFactor } from './SecondFactor.tsx'
import { signInTexts } from './texts.ts'

interface Props {
  /** Of whom the session was: it cannot be changed then. */
  email?: string
  onDone(): void
}

/** Address and password, or a passkey; then the second factor where there is one. */
export function SignInForm({ email: known, onDone }: Props) {
  const t = useText(signInTexts)
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [methods, setMethods] = useState<readonly string[]>()
  const settle = ({ state, methods: asked = [] }: SignInState): void =>
    state === 'done' ? onDone() : setMethods(asked)
  const signIn = useAct(async () => settle(await data(door.POST('/auth/sign-in', { body: { email, password } }))))
  const withPasskey = useAct(async () => {
    const passkey = await askPasskey()
    settle(await data(door.POST('/auth/passkey', { body: { passkey } })))
  })
  if (methods) return <SecondFactor methods={methods} onDone={onDone} />
  const error = signIn.error ?? withPasskey.error
  return (
    <form onSubmit={signIn.submit}>
      <Stack gap="sm">
        {error !== null && <Problem error={error} fallback={t('passkeyFailed')} />}
        <TextInput
          required
          label={t('email')}
          type="email"
          autoComplete="username webauthn"
          readOnly={known !== undefined}
          data-autofocus={known === undefined || undefined}
          autoFocus={known === undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Password
          required
          label={t('password')}
          autoComplete="current-password"
          data-autofocus={known !== undefined || undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" mt={4} loading={signIn.isBusy}>
          {t('signIn')}
        </Button>
        {hasPasskeys() && (
          <>
            <Divider label={t('or')} />
            <Button
              variant="default"
              size="sm"
              leftSection={<IconFingerprint size={18} aria-hidden />}
              loading={withPasskey.isBusy}
              onClick={() => void withPasskey.run()}
            >
              {t('passkey')}
            </Button>
          </>
        )}
      </Stack>
    </form>
  )
}
