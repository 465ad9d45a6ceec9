import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { signInClient } from '../../api/client.ts'
import type { ApiPasskeyResponse } from '../../api/shapes.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { hasPasskeySupport, requestPasskey } from './passkeys.ts'
import { signInTexts } from './texts.ts'

/** The password once more, or a passkey, for what asks that it was given a short while ago. */
export function ReauthenticationForm({ hasPasskey, onDone }: { hasPasskey: boolean; onDone(): void }) {
  const t = useTranslator(signInTexts)
  const [password, setPassword] = useState('')
  const confirmIdentity = async (body: { password: string } | { passkey: ApiPasskeyResponse }): Promise<void> => {
    await signInClient.confirmPassword({ body })
    onDone()
  }
  const passwordAction = useAsyncAction(() => confirmIdentity({ password }))
  const withPasskey = useAsyncAction(async () => confirmIdentity({ passkey: await requestPasskey() }))
  const error = passwordAction.error ?? withPasskey.error
  return (
    <form onSubmit={passwordAction.submit}>
      <Stack gap="sm">
        {error !== null && <ProblemAlert error={error} fallback={t('passkeyFailed')} />}
        <PasswordField
          required
          label={t('password')}
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={passwordAction.isBusy}>
          {t('confirm')}
        </Button>
        {hasPasskey && hasPasskeySupport() && (
          <Button variant="default" size="sm" loading={withPasskey.isBusy} onClick={() => void withPasskey.run()}>
            {t('confirmPasskey')}
          </Button>
        )}
      </Stack>
    </form>
  )
}
