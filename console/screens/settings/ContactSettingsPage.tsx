import { apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ChoiceField, FieldGroup, NumberField, SwitchField } from '../../components/form/fields.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { buildIfMatchHeader, type SettingsFieldsProps, SettingsForm } from './SettingsForm.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsScreenTexts } from './texts.ts'

type ContactSettings = ApiAnswer<'getContactSettings'>

const BYTES_PER_MEGABYTE = 1024 * 1024

const FIELD_POINTERS = [
  '/dateOrder',
  '/decimalMark',
  '/softBounce/count',
  '/softBounce/days',
  '/forgetRedListOnDelete',
  '/importMaxBytes',
  '/sourceRetentionDays',
  '/rejectsRetentionDays',
]

const readSettings = () => readVersionedAnswer(apiClient.getContactSettings)
const writeSettings = (body: ContactSettings, etag: string | null) =>
  apiClient.updateContactSettings({ body, headers: buildIfMatchHeader(etag) })

function ContactFields(fieldProps: SettingsFieldsProps<ContactSettings>) {
  const t = useTranslator(settingsScreenTexts)
  const dateOrders = [
    { value: 'dmy', label: t('dmy') },
    { value: 'mdy', label: t('mdy') },
  ]
  const decimalMarks = [
    { value: 'comma', label: t('comma') },
    { value: 'point', label: t('point') },
  ]
  return (
    <>
      <FieldGroup title={t('reading')}>
        <ChoiceField
          {...fieldProps}
          at="/dateOrder"
          label={t('dateOrder')}
          help={t('dateOrderWhy')}
          choices={dateOrders}
        />
        <ChoiceField
          {...fieldProps}
          at="/decimalMark"
          label={t('decimalMark')}
          help={t('decimalMarkWhy')}
          choices={decimalMarks}
        />
      </FieldGroup>
      <FieldGroup title={t('bounces')}>
        <NumberField {...fieldProps} at="/softBounce/count" label={t('softCount')} help={t('softWhy')} />
        <NumberField {...fieldProps} at="/softBounce/days" label={t('softDays')} unit={t('days')} />
      </FieldGroup>
      <FieldGroup title={t('imports')}>
        <NumberField
          {...fieldProps}
          at="/importMaxBytes"
          label={t('importBytes')}
          unit={t('megabytes')}
          factor={BYTES_PER_MEGABYTE}
        />
        <NumberField {...fieldProps} at="/sourceRetentionDays" label={t('sourceDays')} unit={t('days')} />
        <NumberField {...fieldProps} at="/rejectsRetentionDays" label={t('rejectDays')} unit={t('days')} />
      </FieldGroup>
      <FieldGroup title={t('deletion')}>
        <SwitchField {...fieldProps} at="/forgetRedListOnDelete" label={t('forget')} help={t('forgetWhy')} />
      </FieldGroup>
    </>
  )
}

/** Parsing, retention and flagging of contacts. */
export function ContactSettingsPage() {
  return (
    <SettingsPage>
      <SettingsForm<ContactSettings>
        name="contacts"
        pointers={FIELD_POINTERS}
        read={readSettings}
        write={writeSettings}
      >
        {(fieldProps) => <ContactFields {...fieldProps} />}
      </SettingsForm>
    </SettingsPage>
  )
}
