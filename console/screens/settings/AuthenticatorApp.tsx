import { Button, TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Settings.module.css'
import { settingsScreenTexts } from './texts.ts'

const LazyQrCode = lazy(() => import('./QrCode.tsx'))

interface AppSecret {
  secret: string
  uri: string
}

/** Codes that work once each, shown this one time. */
function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  const t = useTranslator(settingsScreenTexts)
  return (
    <div className={styles['stack']} role="status">
      <p>{t('recoveryWhy')}</p>
      <ul className={styles['codes']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <CopyButton value={codes.join('\n')} label={t('recoveryCopy')} />
    </div>
  )
}

/** The code to scan, and the first code of the app. */
function AppEnrolment({ secret, onAdded }: { secret: AppSecret; onAdded(recovery: readonly string[]): void }) {
  const t = useTranslator(settingsScreenTexts)
  const [code, setCode] = useState('')
  const { error, isBusy, submit } = useAsyncAction(async () => {
    const { recovery = [] } = await apiClient.addTotp({ body: { code: code.replaceAll(' ', '') } })
    onAdded(recovery)
  })
  return (
    <form onSubmit={submit} className={styles['stack']}>
      <p>{t('scan')}</p>
      <Suspense fallback={<LoadingSkeleton />}>
        <LazyQrCode value={secret.uri} label={t('qr')} />
      </Suspense>
      <div className={styles['secret']}>
        <small>{t('secret')}</small> <CopyButton value={secret.secret} />
      </div>
      <TextInput
        required
        label={t('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        w={160}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      {error !== null && <ProblemAlert error={error} />}
      <Button type="submit" loading={isBusy}>
        {t('codeConfirm')}
      </Button>
    </form>
  )
}

/** An app that shows codes, as a second factor, and the codes for when it is lost. */
export function AuthenticatorApp() {
  const t = useTranslator(settingsScreenTexts)
  const router = useRouter()
  const { person } = useCurrentUser()
  const [hasApp, setHasApp] = useState(person.secondFactor === 'totp')
  const [secret, setSecret] = useState<AppSecret>()
  const [recoveryCodes, setRecovery] = useState<readonly string[]>([])
  const [isRemoving, setRemoving] = useState(false)
  const startEnrolment = useAsyncAction(async () => {
    const { secret: text = '', uri = '' } = await apiClient.addTotp({ body: {} })
    setSecret({ secret: text, uri })
  })
  const renewCodes = useAsyncAction(async () => setRecovery((await apiClient.renewRecoveryCodes()).recovery))
  const handleAdded = (codes: readonly string[]): void => {
    setSecret(undefined)
    setRecovery(codes)
    setHasApp(true)
    void router.invalidate()
  }
  if (secret) return <AppEnrolment secret={secret} onAdded={handleAdded} />
  const error = startEnrolment.error ?? renewCodes.error
  return (
    <div className={styles['stack']}>
      <p>{t(hasApp ? 'codeAppOn' : 'codeAppWhy')}</p>
      {recoveryCodes.length > 0 && <RecoveryCodeList codes={recoveryCodes} />}
      {error !== null && <ProblemAlert error={error} />}
      <div className={styles['row']}>
        <Button variant="default" loading={startEnrolment.isBusy} onClick={() => void startEnrolment.run()}>
          {t(hasApp ? 'codeAppOther' : 'codeAppAdd')}
        </Button>
        {person.secondFactor !== 'none' || hasApp ? (
          <Button variant="default" loading={renewCodes.isBusy} onClick={() => void renewCodes.run()}>
            {t('recoveryNew')}
          </Button>
        ) : null}
        {hasApp && (
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            {t('codeAppRemove')}
          </Button>
        )}
      </div>
      {isRemoving && (
        <ConfirmDialog
          title={t('codeAppRemove')}
          action={t('codeAppRemove')}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await apiClient.removeTotp()
            setHasApp(false)
          }}
        >
          <p>{t('codeAppRemoveWhy')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
