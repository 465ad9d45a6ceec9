import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer, signInClient } from '../../api/client.ts'
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

type Passkey = ApiAnswer<'/me/passkeys', 'get'>[number]

function Line({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const t = useTranslator(settingsScreenTexts)
  const queries = useQueryClient()
  const drop = useAsyncAction(async () => {
    await readAnswer(apiClient.DELETE('/me/passkeys/{id}', { params: { path: { id } } }))
    await queries.invalidateQueries({ queryKey: ['passkeys'] })
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
      <Button variant="default" size="compact-sm" loading={drop.isBusy} onClick={() => void drop.run()}>
        {t('delete')}
      </Button>
      {drop.error !== null && <ProblemAlert error={drop.error} />}
    </li>
  )
}

function AddPasskey() {
  const t = useTranslator(settingsScreenTexts)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const add = useAsyncAction(async () => {
    const { options = {} } = await readAnswer(apiClient.POST('/me/passkeys', { body: {} }))
    const passkey = await createPasskey(options)
    await readAnswer(apiClient.POST('/me/passkeys', { body: { name: name.trim() || t('passkey'), passkey } }))
    setName('')
    await queries.invalidateQueries({ queryKey: ['passkeys'] })
  })
  if (!hasPasskeySupport()) return <p>{t('passkeysNot')}</p>
  return (
    <form onSubmit={add.submit} className={styles['stack']}>
      <TextInput
        label={t('passkeyName')}
        description={t('passkeyNameWhy')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {add.error !== null && <ProblemAlert error={add.error} fallback={t('passkeyDeclined')} />}
      <Button type="submit" variant="default" loading={add.isBusy}>
        {t('passkeyAdd')}
      </Button>
    </form>
  )
}

/** Reads them where a password was given lately: who only opens the page is not asked for one. */
async function readQuietly({ signal }: { signal: AbortSignal }): Promise<Passkey[]> {
  try {
    return await readAnswer(signInClient.GET('/me/passkeys', { signal }))
  } catch (error) {
    if (isApiRefusal(error) && error.status === 401) return readAnswer(apiClient.GET('/me/passkeys', { signal }))
    throw error
  }
}

/** One's passkeys: they sign in without a password. */
export function Passkeys() {
  const t = useTranslator(settingsScreenTexts)
  const queries = useQueryClient()
  const read = useQuery({ queryKey: ['passkeys'], queryFn: readQuietly })
  const show = useAsyncAction(async () => {
    queries.setQueryData(['passkeys'], await readAnswer(apiClient.GET('/me/passkeys')))
  })
  const mustConfirm = isApiRefusal(read.error, 'confirm-again')
  const error = mustConfirm ? show.error : read.error
  if (error && !isApiRefusal(error, 'confirm-again'))
    return <ProblemAlert error={error} onRetry={() => void read.refetch()} />
  if (!(read.data || mustConfirm)) return <LoadingSkeleton />
  return (
    <div className={styles['stack']}>
      <p>{t('passkeysWhy')}</p>
      {mustConfirm && !read.data && (
        <Button variant="default" loading={show.isBusy} onClick={() => void show.run()}>
          {t('passkeysShow')}
        </Button>
      )}
      {read.data && read.data.length > 0 && (
        <ul className={styles['lines']}>
          {read.data.map((passkey) => (
            <Line key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {read.data && <AddPasskey />}
    </div>
  )
}
