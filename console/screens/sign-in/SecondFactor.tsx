import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { data, door } from '../../api/client.ts'
import type { PasskeyAnswer } from '../../api/shapes.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { askPasskey } from './passkeys.ts'
import { signInTexts } from './texts.ts'

/** The code of an app, a recovery code or a passkey, after the password was right. */
export function SecondFactor({ methods, onDone }: { methods: readonly string[]; onDone(): void }) {
  const t = useText(signInTexts)
  const [kind, setKind] = useState<'code' | 'recovery'>(methods.includes('code') ? 'code' : 'recovery')
  const [value, setValue] = useState('')
  const send = async (body: { code: string } | { recovery: string } | { passkey: PasskeyAnswer }): Promise<void> => {
    await data(door.POST('/auth/second-factor', { body }))
    onDone()
  }
  const typed = useAct(() => send(kind === 'code' ? { code: value.replaceAll(' ', '') } : { recovery: value.trim() }))
  const withPasskey = useAct(async () => send({ passkey: await askPasskey() }))
  const error = typed.error ?? withPasskey.error
  return (
    <form onSubmit={typed.submit}>
      <Stack gap="sm">
        {error !== null && <Problem error={error} fallback={t('passkeyFailed')} />}
        {(methods.includes('code') || methods.includes('recovery')) && (
          <>
            <TextInput
              required
              key={kind}
              label={t(kind === 'code' ? 'codeLabel' : 'recovery')}
              {...(kind === 'code' && { description: t('codeWhy'), inputMode: 'numeric' as const })}
              autoComplete="one-time-code"
              autoFocus
              data-autofocus
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
              styles={{ input: { fontFamily: 'var(--code)', letterSpacing: '0.12em' } }}
            />
            <Button type="submit" size="sm" loading={typed.isBusy}>
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
              setKind(kind === 'code' ? 'recovery' : 'code')
              setValue('')
              typed.forget()
            }}
          >
            {t(kind === 'code' ? 'recoveryUse' : 'codeUse')}
          </Anchor>
        )}
      </Stack>
    </form>
  )
}
