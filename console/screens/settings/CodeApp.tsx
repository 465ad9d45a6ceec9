import { Button, TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Copy } from '../../components/Copy.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Settings.module.css'
import { settingsTexts } from './texts.ts'

const QrCode = lazy(() => import('./QrCode.tsx'))

interface Secret {
  secret: string
  uri: string
}

/** Codes that work once each, shown this one time. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const t = useText(settingsTexts)
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
      <Copy value={codes.join('\n')} label={t('recoveryCopy')} />
    </div>
  )
}

/** The code to scan, and the first code of the app. */
function Adding({ secret, onAdded }: { secret: Secret; onAdded(recovery: readonly string[]): void }) {
  const t = useText(settingsTexts)
  const [code, setCode] = useState('')
  const { error, isBusy, submit } = useAct(async () => {
    const { recovery = [] } = await data(api.POST('/me/totp', { body: { code: code.replaceAll(' ', '') } }))
    onAdded(recovery)
  })
  return (
    <form onSubmit={submit} className={styles['stack']}>
      <p>{t('scan')}</p>
      <Suspense fallback={<Skeleton />}>
        <QrCode value={secret.uri} label={t('qr')} />
      </Suspense>
      <div className={styles['secret']}>
        <small>{t('secret')}</small> <Copy value={secret.secret} />
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
      {error !== null && <Problem error={error} />}
      <Button type="submit" loading={isBusy}>
        {t('codeConfirm')}
      </Button>
    </form>
  )
}

/** An app that shows codes, as a second factor, and the codes for when it is lost. */
export function CodeApp() {
  const t = useText(settingsTexts)
  const router = useRouter()
  const { person } = useMe()
  const [hasApp, setHasApp] = useState(person.secondFactor === 'totp')
  const [secret, setSecret] = useState<Secret>()
  const [recovery, setRecovery] = useState<readonly string[]>([])
  const [isRemoving, setRemoving] = useState(false)
  const begin = useAct(async () => {
    const { secret: text = '', uri = '' } = await data(api.POST('/me/totp', { body: {} }))
    setSecret({ secret: text, uri })
  })
  const renew = useAct(async () => setRecovery((await data(api.POST('/me/recovery'))).recovery))
  const added = (codes: readonly string[]): void => {
    setSecret(undefined)
    setRecovery(codes)
    setHasApp(true)
    void router.invalidate()
  }
  if (secret) return <Adding secret={secret} onAdded={added} />
  const error = begin.error ?? renew.error
  return (
    <div className={styles['stack']}>
      <p>{t(hasApp ? 'codeAppOn' : 'codeAppWhy')}</p>
      {recovery.length > 0 && <RecoveryCodes codes={recovery} />}
      {error !== null && <Problem error={error} />}
      <div className={styles['row']}>
        <Button variant="default" loading={begin.isBusy} onClick={() => void begin.run()}>
          {t(hasApp ? 'codeAppOther' : 'codeAppAdd')}
        </Button>
        {person.secondFactor !== 'none' || hasApp ? (
          <Button variant="default" loading={renew.isBusy} onClick={() => void renew.run()}>
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
        <Confirm
          title={t('codeAppRemove')}
          action={t('codeAppRemove')}
          onClose={() => setRemoving(false)}
          onConfirm={async () => {
            await data(api.DELETE('/me/totp'))
            setHasApp(false)
          }}
        >
          <p>{t('codeAppRemoveWhy')}</p>
        </Confirm>
      )}
    </div>
  )
}
