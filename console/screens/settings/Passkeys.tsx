import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, door } from '../../api/client.ts'
import { isRefusal } from '../../api/refusal.ts'
import type { Answer } from '../../api/shapes.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import { hasPasskeys, makePasskey } from '../sign-in/passkeys.ts'
import styles from './Settings.module.css'
import { settingsTexts } from './texts.ts'

type Passkey = Answer<'/me/passkeys', 'get'>[number]

function Line({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const t = useText(settingsTexts)
  const queries = useQueryClient()
  const drop = useAct(async () => {
    await data(api.DELETE('/me/passkeys/{id}', { params: { path: { id } } }))
    await queries.invalidateQueries({ queryKey: ['passkeys'] })
  })
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <strong>{name}</strong>
        <small>
          {t('added')} <Time at={createdAt} />
          {lastUsedAt !== null && (
            <>
              {' · '}
              {t('lastUsed')} <Time at={lastUsedAt} />
            </>
          )}
        </small>
      </span>
      <Button variant="default" size="compact-sm" loading={drop.isBusy} onClick={() => void drop.run()}>
        {t('delete')}
      </Button>
      {drop.error !== null && <Problem error={drop.error} />}
    </li>
  )
}

function AddPasskey() {
  const t = useText(settingsTexts)
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const add = useAct(async () => {
    const { options = {} } = await data(api.POST('/me/passkeys', { body: {} }))
    const passkey = await makePasskey(options)
    await data(api.POST('/me/passkeys', { body: { name: name.trim() || t('passkey'), passkey } }))
    setName('')
    await queries.invalidateQueries({ queryKey: ['passkeys'] })
  })
  if (!hasPasskeys()) return <p>{t('passkeysNot')}</p>
  return (
    <form onSubmit={add.submit} className={styles['stack']}>
      <TextInput
        label={t('passkeyName')}
        description={t('passkeyNameWhy')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {add.error !== null && <Problem error={add.error} fallback={t('passkeyDeclined')} />}
      <Button type="submit" variant="default" loading={add.isBusy}>
        {t('passkeyAdd')}
      </Button>
    </form>
  )
}

/** Reads them where a password was given lately: who only opens the page is not asked for one. */
async function readQuietly({ signal }: { signal: AbortSignal }): Promise<Passkey[]> {
  try {
    return await data(door.GET('/me/passkeys', { signal }))
  } catch (error) {
    if (isRefusal(error) && error.status === 401) return data(api.GET('/me/passkeys', { signal }))
    throw error
  }
}

/** One's passkeys: they sign in without a password. */
export function Passkeys() {
  const t = useText(settingsTexts)
  const queries = useQueryClient()
  const read = useQuery({ queryKey: ['passkeys'], queryFn: readQuietly })
  const show = useAct(async () => {
    queries.setQueryData(['passkeys'], await data(api.GET('/me/passkeys')))
  })
  const mustConfirm = isRefusal(read.error, 'confirm-again')
  const error = mustConfirm ? show.error : read.error
  if (error && !isRefusal(error, 'confirm-again')) return <Problem error={error} onRetry={() => void read.refetch()} />
  if (!(read.data || mustConfirm)) return <Skeleton />
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
