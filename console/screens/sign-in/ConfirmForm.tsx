import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { data, door } from '../../api/client.ts'
import type { PasskeyAnswer } from '../../api/shapes.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Password } from '../../components/Password.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { askPasskey, hasPasskeys } from './passkeys.ts'
import { signInTexts } from './texts.ts'

/** The password once more, or a passkey, for what asks that it was given a short while ago. */
export function ConfirmForm({ hasPasskey, onDone }: { hasPasskey: boolean; onDone(): void }) {
  const t = useText(signInTexts)
  const [password, setPassword] = useState('')
  const confirm = async (body: { password: string } | { passkey: PasskeyAnswer }): Promise<void> => {
    await data(door.POST('/auth/confirm', { body }))
    onDone()
  }
  const typed = useAct(() => confirm({ password }))
  const withPasskey = useAct(async () => confirm({ passkey: await askPasskey() }))
  const error = typed.error ?? withPasskey.error
  return (
    <form onSubmit={typed.submit}>
      <Stack gap="sm">
        {error !== null && <Problem error={error} fallback={t('passkeyFailed')} />}
        <Password
          required
          label={t('password')}
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" loading={typed.isBusy}>
          {t('confirm')}
        </Button>
        {hasPasskey && hasPasskeys() && (
          <Button variant="default" size="sm" loading={withPasskey.isBusy} onClick={() => void withPasskey.run()}>
            {t('confirmPasskey')}
          </Button>
        )}
      </Stack>
    </form>
  )
}
