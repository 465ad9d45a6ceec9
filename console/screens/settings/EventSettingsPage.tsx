import { TagsInput } from '@mantine/core'
import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ChoiceField, FieldGroup, NumberField } from '../../components/form/fields.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { buildIfMatchHeader, type SettingsFieldsProps, SettingsForm } from './SettingsForm.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsScreenTexts } from './texts.ts'

type EventSettings = ApiAnswer<'getEventSettings'>

const FIELD_POINTERS = ['/ip', '/retentionMonths', '/stopWords', '/displayIdentity']

const readSettings = () => readVersionedAnswer(apiClient.getEventSettings)
const writeSettings = (body: EventSettings, etag: string | null) =>
  apiClient.updateEventSettings({ body, headers: buildIfMatchHeader(etag) })

function EventFields(fieldProps: SettingsFieldsProps<EventSettings>) {
  const t = useTranslator(settingsScreenTexts)
  const { form, isReadOnly } = fieldProps
  const addresses = [
    { value: 'full', label: t('ipFull') },
    { value: 'truncated', label: t('ipTruncated') },
    { value: 'none', label: t('ipNone') },
  ]
  const identities = [
    { value: 'none', label: t('identityNone') },
    { value: 'consent', label: t('identityConsent') },
    { value: 'always', label: t('identityAlways') },
  ]
  return (
    <FieldGroup>
      <NumberField
        {...fieldProps}
        at="/retentionMonths"
        label={t('retention')}
        help={t('retentionWhy')}
        unit={t('months')}
      />
      <ChoiceField {...fieldProps} at="/ip" label={t('ip')} help={t('ipWhy')} choices={addresses} />
      <ChoiceField
        {...fieldProps}
        at="/displayIdentity"
        label={t('identity')}
        help={t('identityWhy')}
        choices={identities}
      />
      <TagsInput
        label={t('stopWords')}
        description={t('stopWordsWhy')}
        error={form.faultAt('/stopWords')}
        maw={560}
        disabled={isReadOnly}
        value={form.value.stopWords}
        onChange={(words) => form.set('/stopWords', words)}
      />
    </FieldGroup>
  )
}

/** Retention of the events of recipients. */
export function EventSettingsPage() {
  return (
    <SettingsPage>
      <SettingsForm<EventSettings> name="events" pointers={FIELD_POINTERS} read={readSettings} write={writeSettings}>
        {(fieldProps) => <EventFields {...fieldProps} />}
      </SettingsForm>
    </SettingsPage>
  )
}
