import { Button, Divider, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { signInClient } from '../../api/client.ts'
import type { ApiSignInState } from '../../api/shapes.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { hasPasskeySupport, requestPasskey } from './passkeys.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { signInTexts } from './texts.ts'

interface Props {
  /** Email of the ended session: it cannot be changed in that case. */
  email?: string
  onDone(): void
}

/** Address and password, or a passkey; then the second factor where there is one. */
export function SignInForm({ email: knownEmail, onDone }: Props) {
  const t = useTranslator(signInTexts)
  const [emailAddress, setEmailAddress] = useState(knownEmail ?? '')
  const [password, setPassword] = useState('')
  const [methods, setMethods] = useState<readonly string[]>()
  const handleState = ({ state, methods: factorMethods = [] }: ApiSignInState): void =>
    state === 'done' ? onDone() : setMethods(factorMethods)
  const signIn = useAsyncAction(async () =>
    handleState(await signInClient.signIn({ body: { email: emailAddress, password } })),
  )
  const withPasskey = useAsyncAction(async () => {
    const passkey = await requestPasskey()
    handleState(await signInClient.signInByPasskey({ body: { passkey } }))
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
          readOnly={knownEmail !== undefined}
          data-autofocus={knownEmail === undefined || undefined}
          autoFocus={knownEmail === undefined}
          value={emailAddress}
          onChange={(event) => setEmailAddress(event.currentTarget.value)}
        />
        <PasswordField
          required
          label={t('password')}
          autoComplete="current-password"
          data-autofocus={knownEmail !== undefined || undefined}
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
