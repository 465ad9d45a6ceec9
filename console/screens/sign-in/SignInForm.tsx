import { Button, Divider, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { readAnswer, signInClient } from '../../api/client.ts'
import type { ApiSignInState } from '../../api/shapes.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { hasPasskeySupport, requestPasskey } from './passkeys.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { signInTexts } from './texts.ts'

interface Props {
  /** Of whom the session was: it cannot be changed then. */
  email?: string
  onDone(): void
}

/** Address and password, or a passkey; then the second factor where there is one. */
export function SignInForm({ email: known, onDone }: Props) {
  const t = useTranslator(signInTexts)
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [methods, setMethods] = useState<readonly string[]>()
  const settle = ({ state, methods: asked = [] }: ApiSignInState): void =>
    state === 'done' ? onDone() : setMethods(asked)
  const signIn = useAsyncAction(async () =>
    settle(await readAnswer(signInClient.POST('/auth/sign-in', { body: { email, password } }))),
  )
  const withPasskey = useAsyncAction(async () => {
    const passkey = await requestPasskey()
    settle(await readAnswer(signInClient.POST('/auth/passkey', { body: { passkey } })))
  })
  if (methods) return <SecondFactorForm methods={methods} onDone={onDone} />
  const error = signIn.error ?? withPasskey.error
  return (
    <form onSubmit={signIn.submit}>
      <Stack gap="sm">
        {error !== null && <ProblemAlert error={error} fallback={t('passkeyFailed')} />}
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
        <PasswordField
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
        {hasPasskeySupport() && (
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
