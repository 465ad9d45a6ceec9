import { Button } from '@mantine/core'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Password } from '../../components/Password.tsx'
import { useAct } from '../../components/use-act.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Settings.module.css'
import { settingsTexts } from './texts.ts'

/** A new password, given beside the old one. */
export function PasswordForm() {
  const t = useText(settingsTexts)
  const { person } = useMe()
  const [given, setGiven] = useState({ old: '', new: '' })
  const { error, isBusy, submit } = useAct(async () => {
    await data(api.PUT('/me/password', { body: given }))
    setGiven({ old: '', new: '' })
    tell(t('passwordChanged'))
  })
  return (
    <form onSubmit={submit} className={styles['stack']}>
      <input type="email" autoComplete="username" value={person.email} readOnly hidden />
      <Password
        required
        label={t('passwordOld')}
        autoComplete="current-password"
        value={given.old}
        onChange={(event) => setGiven({ ...given, old: event.currentTarget.value })}
      />
      <Password
        required
        label={t('passwordNew')}
        description={t('passwordRule')}
        autoComplete="new-password"
        value={given.new}
        onChange={(event) => setGiven({ ...given, new: event.currentTarget.value })}
      />
      {error !== null && <Problem error={error} />}
      <Button type="submit" variant="default" loading={isBusy}>
        {t('passwordChange')}
      </Button>
    </form>
  )
}
