import { apiClient } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import { useDocumentForm } from '../../components/form/use-form.ts'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { AuthenticatorApp } from './AuthenticatorApp.tsx'
import { ChangePasswordForm } from './ChangePasswordForm.tsx'
import { Passkeys } from './Passkeys.tsx'
import styles from './Settings.module.css'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsScreenTexts } from './texts.ts'
import { UserSessions } from './UserSessions.tsx'

interface UserProfile {
  name: string
  locale: 'en' | 'fr'
}

async function readUserProfile() {
  const { person } = await apiClient.getMe()
  return { data: { name: person?.name ?? '', locale: person?.locale ?? 'en' } as UserProfile, etag: null }
}

function UserProfileForm() {
  const t = useTranslator(settingsScreenTexts)
  const { person } = useCurrentUser()
  const { name, locale } = person
  const form = useDocumentForm<UserProfile>({
    name: `profile.${person.id}`,
    stored: { data: { name, locale }, etag: null },
    save: async (body) => {
      await apiClient.updateMe({ body })
      return readUserProfile()
    },
    load: readUserProfile,
    // The whole page uses the language of the user: it is reloaded.
    onSaved: () => location.reload(),
  })
  const languages = [
    { value: 'en', label: 'English' },
    { value: 'fr', label: 'Français' },
  ]
  return (
    <FormLayout form={form} pointers={['/name', '/locale']}>
      <FieldGroup title={person.email}>
        <TextField form={form} at="/name" label={t('name')} />
        <ChoiceField form={form} at="/locale" label={t('language')} choices={languages} />
      </FieldGroup>
    </FormLayout>
  )
}

/** One's own name, language, password, second factors and sessions. */
export function UserProfilePage() {
  const t = useTranslator(settingsScreenTexts)
  return (
    <SettingsPage>
      <div className={styles['parts']}>
        <UserProfileForm />
        <PagePanel title={t('password')}>
          <ChangePasswordForm />
        </PagePanel>
        <PagePanel title={t('codeApp')}>
          <AuthenticatorApp />
        </PagePanel>
        <PagePanel title={t('passkeys')}>
          <Passkeys />
        </PagePanel>
        <PagePanel title={t('sessions')}>
          <UserSessions />
        </PagePanel>
      </div>
    </SettingsPage>
  )
}
