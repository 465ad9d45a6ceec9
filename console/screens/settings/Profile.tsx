import { api, data } from '../../api/client.ts'
import { useMe } from '../../api/me.ts'
import { FormFrame } from '../../components/form/FormFrame.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import { useForm } from '../../components/form/use-form.ts'
import { Panel } from '../../components/layout/Panel.tsx'
import { useText } from '../../text/catalogue.ts'
import { CodeApp } from './CodeApp.tsx'
import { Passkeys } from './Passkeys.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { Sessions } from './Sessions.tsx'
import styles from './Settings.module.css'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsTexts } from './texts.ts'

interface Own {
  name: string
  locale: 'en' | 'fr'
}

async function readOwn() {
  const { person } = await data(api.GET('/me'))
  return { data: { name: person?.name ?? '', locale: person?.locale ?? 'en' } as Own, etag: null }
}

function OwnForm() {
  const t = useText(settingsTexts)
  const { person } = useMe()
  const { name, locale } = person
  const form = useForm<Own>({
    name: `profile.${person.id}`,
    stored: { data: { name, locale }, etag: null },
    save: async (body) => {
      await data(api.PUT('/me', { body }))
      return readOwn()
    },
    load: readOwn,
    // The whole page speaks the language of the person: it is read anew.
    onSaved: () => location.reload(),
  })
  const languages = [
    { value: 'en', label: 'English' },
    { value: 'fr', label: 'Français' },
  ]
  return (
    <FormFrame form={form} pointers={['/name', '/locale']}>
      <FieldGroup title={person.email}>
        <TextField form={form} at="/name" label={t('name')} />
        <ChoiceField form={form} at="/locale" label={t('language')} choices={languages} />
      </FieldGroup>
    </FormFrame>
  )
}

/** One's own name, language, password, second factors and sessions. */
export function Profile() {
  const t = useText(settingsTexts)
  return (
    <SettingsPage>
      <div className={styles['parts']}>
        <OwnForm />
        <Panel title={t('password')}>
          <PasswordForm />
        </Panel>
        <Panel title={t('codeApp')}>
          <CodeApp />
        </Panel>
        <Panel title={t('passkeys')}>
          <Passkeys />
        </Panel>
        <Panel title={t('sessions')}>
          <Sessions />
        </Panel>
      </div>
    </SettingsPage>
  )
}
