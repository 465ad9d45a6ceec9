import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, signInClient } from '../../api/client.ts'
import { isApiRefusal } from '../../api/refusal.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { createPasskey, hasPasskeySupport } from '../sign-in/passkeys.ts'
import styles from './Settings.module.css'
import { settingsScreenTexts } from './texts.ts'

type Passkey = ApiAnswer<'listPasskeys'>[number]

function PasskeyLine({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const t = useTranslator(settingsScreenTexts)
  const queryClient = useQueryClient()
  const deletePasskey = useAsyncAction(async () => {
    await apiClient.deletePasskey({ path: { id } })
    await queryClient.invalidateQueries({ queryKey: ['passkeys'] })
  })
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <strong>{name}</strong>
        <small>
          {t('added')} <FormattedTime at={createdAt} />
          {lastUsedAt !== null && (
            <>
              {' · '}
              {t('lastUsed')} <FormattedTime at={lastUsedAt} />
            </>
          )}
        </small>
      </span>
      <Button
        variant="default"
        size="compact-sm"
        loading={deletePasskey.isBusy}
        onClick={() => void deletePasskey.run()}
      >
        {t('delete')}
      </Button>
      {deletePasskey.error !== null && <ProblemAlert error={deletePasskey.error} />}
    </li>
  )
}

function AddPasskeyForm() {
  const t = useTranslator(settingsScreenTexts)
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const addPasskey = useAsyncAction(async () => {
    const { options = {} } = await apiClient.addPasskey({ body: {} })
    const passkey = await createPasskey(options)
    await apiClient.addPasskey({ body: { name: name.trim() || t('passkey'), passkey } })
    setName('')
    await queryClient.invalidateQueries({ queryKey: ['passkeys'] })
  })
  if (!hasPasskeySupport()) return <p>{t('passkeysNot')}</p>
  return (
    <form onSubmit={addPasskey.submit} className={styles['stack']}>
      <TextInput
        label={t('passkeyName')}
        description={t('passkeyNameWhy')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {addPasskey.error !== null && <ProblemAlert error={addPasskey.error} fallback={t('passkeyDeclined')} />}
      <Button type="submit" variant="default" loading={addPasskey.isBusy}>
        {t('passkeyAdd')}
      </Button>
    </form>
  )
}

/** Reads them where a password was given lately: who only opens the page is not asked for one. */
async function readWithoutPrompt({ signal }: { signal: AbortSignal }): Promise<Passkey[]> {
  try {
    return await signInClient.listPasskeys({ signal })
  } catch (error) {
    if (isApiRefusal(error) && error.status === 401) return apiClient.listPasskeys({ signal })
    throw error
  }
}

/** One's passkeys: they sign in without a password. */
export function Passkeys() {
  const t = useTranslator(settingsScreenTexts)
  const queryClient = useQueryClient()
  const passkeysQuery = useQuery({ queryKey: ['passkeys'], queryFn: readWithoutPrompt })
  const showPasskeys = useAsyncAction(async () => {
    queryClient.setQueryData(['passkeys'], await apiClient.listPasskeys())
  })
  const mustConfirm = isApiRefusal(passkeysQuery.error, 'confirm-again')
  const error = mustConfirm ? showPasskeys.error : passkeysQuery.error
  if (error && !isApiRefusal(error, 'confirm-again'))
    return <ProblemAlert error={error} onRetry={() => void passkeysQuery.refetch()} />
  if (!(passkeysQuery.data || mustConfirm)) return <LoadingSkeleton />
  return (
    <div className={styles['stack']}>
      <p>{t('passkeysWhy')}</p>
      {mustConfirm && !passkeysQuery.data && (
        <Button variant="default" loading={showPasskeys.isBusy} onClick={() => void showPasskeys.run()}>
          {t('passkeysShow')}
        </Button>
      )}
      {passkeysQuery.data && passkeysQuery.data.length > 0 && (
        <ul className={styles['lines']}>
          {passkeysQuery.data.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {passkeysQuery.data && <AddPasskeyForm />}
    </div>
  )
}
