import { Button } from '@mantine/core'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { PasswordField } from '../../components/PasswordField.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Settings.module.css'
import { settingsScreenTexts } from './texts.ts'

/** Form for a new password; requires the current one. */
export function ChangePasswordForm() {
  const t = useTranslator(settingsScreenTexts)
  const { person } = useCurrentUser()
  const [enteredPasswords, setEnteredPasswords] = useState({ old: '', new: '' })
  const { error, isBusy, submit } = useAsyncAction(async () => {
    await apiClient.changePassword({ body: enteredPasswords })
    setEnteredPasswords({ old: '', new: '' })
    showToast(t('passwordChanged'))
  })
  return (
    <form onSubmit={submit} className={styles['stack']}>
      <input type="email" autoComplete="username" value={person.email} readOnly hidden />
      <PasswordField
        required
        label={t('passwordOld')}
        autoComplete="current-password"
        value={enteredPasswords.old}
        onChange={(event) => setEnteredPasswords({ ...enteredPasswords, old: event.currentTarget.value })}
      />
      <PasswordField
        required
        label={t('passwordNew')}
        description={t('passwordRule')}
        autoComplete="new-password"
        value={enteredPasswords.new}
        onChange={(event) => setEnteredPasswords({ ...enteredPasswords, new: event.currentTarget.value })}
      />
      {error !== null && <ProblemAlert error={error} />}
      <Button type="submit" variant="default" loading={isBusy}>
        {t('passwordChange')}
      </Button>
    </form>
  )
}
