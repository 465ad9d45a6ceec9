import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { signInClient } from '../../api/client.ts'
import type { ApiPasskeyResponse } from '../../api/shapes.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { requestPasskey } from './passkeys.ts'
import { signInTexts } from './texts.ts'

/** The code of an app, a recovery code or a passkey, after the password was right. */
export function SecondFactorForm({ methods, onDone }: { methods: readonly string[]; onDone(): void }) {
  const t = useTranslator(signInTexts)
  const [codeKind, setCodeKind] = useState<'code' | 'recovery'>(methods.includes('code') ? 'code' : 'recovery')
  const [value, setValue] = useState('')
  const sendFactor = async (
    body: { code: string } | { recovery: string } | { passkey: ApiPasskeyResponse },
  ): Promise<void> => {
    await signInClient.giveSecondFactor({ body })
    onDone()
  }
  const codeAction = useAsyncAction(() =>
    sendFactor(codeKind === 'code' ? { code: value.replaceAll(' ', '') } : { recovery: value.trim() }),
  )
  const withPasskey = useAsyncAction(async () => sendFactor({ passkey: await requestPasskey() }))
  const error = codeAction.error ?? withPasskey.error
  return (
    <form onSubmit={codeAction.submit}>
      <Stack gap="sm">
        {error !== null && <ProblemAlert error={error} fallback={t('passkeyFailed')} />}
        {(methods.includes('code') || methods.includes('recovery')) && (
          <>
            <TextInput
              required
              key={codeKind}
              label={t(codeKind === 'code' ? 'codeLabel' : 'recovery')}
              {...(codeKind === 'code' && { description: t('codeWhy'), inputMode: 'numeric' as const })}
              autoComplete="one-time-code"
              autoFocus
              data-autofocus
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              styles={{ input: { fontFamily: 'var(--code)', letterSpacing: '0.12em' } }}
            />
            <Button type="submit" size="sm" loading={codeAction.isBusy}>
              {t('continue')}
            </Button>
          </>
        )}
        {methods.includes('passkey') && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconFingerprint size={18} aria-hidden />}
            loading={withPasskey.isBusy}
            onClick={() => void withPasskey.run()}
          >
            {t('passkey')}
          </Button>
        )}
        {methods.includes('code') && methods.includes('recovery') && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              setCodeKind(codeKind === 'code' ? 'recovery' : 'code')
              setValue('')
              codeAction.forget()
            }}
          >
            {t(codeKind === 'code' ? 'recoveryUse' : 'codeUse')}
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
