import { apiClient, readAnswer, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { ChoiceField, FieldGroup, NumberField, SwitchField } from '../../components/form/fields.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { buildIfMatchHeader, type SettingsFieldsProps, SettingsForm } from './SettingsForm.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsScreenTexts } from './texts.ts'

type Contacts = ApiAnswer<'/settings/contacts', 'get'>

const BYTES_OF_A_MEGABYTE = 1024 * 1024

const POINTERS = [
  '/dateOrder',
  '/decimalMark',
  '/softBounce/count',
  '/softBounce/days',
  '/forgetRedListOnDelete',
  '/importMaxBytes',
  '/sourceRetentionDays',
  '/rejectsRetentionDays',
]

const read = () => readVersionedAnswer(apiClient.GET('/settings/contacts'))
const write = (body: Contacts, etag: string | null) =>
  readAnswer(apiClient.PUT('/settings/contacts', { body, headers: buildIfMatchHeader(etag) }))

function ContactFields(own: SettingsFieldsProps<Contacts>) {
  const t = useTranslator(settingsScreenTexts)
  const orders = [
    { value: 'dmy', label: t('dmy') },
    { value: 'mdy', label: t('mdy') },
  ]
  const marks = [
    { value: 'comma', label: t('comma') },
    { value: 'point', label: t('point') },
  ]
  return (
    <>
      <FieldGroup title={t('reading')}>
        <ChoiceField {...own} at="/dateOrder" label={t('dateOrder')} help={t('dateOrderWhy')} choices={orders} />
        <ChoiceField {...own} at="/decimalMark" label={t('decimalMark')} help={t('decimalMarkWhy')} choices={marks} />
      </FieldGroup>
      <FieldGroup title={t('bounces')}>
        <NumberField {...own} at="/softBounce/count" label={t('softCount')} help={t('softWhy')} />
        <NumberField {...own} at="/softBounce/days" label={t('softDays')} unit={t('days')} />
      </FieldGroup>
      <FieldGroup title={t('imports')}>
        <NumberField
          {...own}
          at="/importMaxBytes"
          label={t('importBytes')}
          unit={t('megabytes')}
          factor={BYTES_OF_A_MEGABYTE}
        />
        <NumberField {...own} at="/sourceRetentionDays" label={t('sourceDays')} unit={t('days')} />
        <NumberField {...own} at="/rejectsRetentionDays" label={t('rejectDays')} unit={t('days')} />
      </FieldGroup>
      <FieldGroup title={t('deletion')}>
        <SwitchField {...own} at="/forgetRedListOnDelete" label={t('forget')} help={t('forgetWhy')} />
      </FieldGroup>
    </>
  )
}

/** How contacts are read, kept and flagged. */
export function ContactSettingsPage() {
  return (
    <SettingsPage>
      <SettingsForm<Contacts> name="contacts" pointers={POINTERS} read={read} write={write}>
        {(own) => <ContactFields {...own} />}
      </SettingsForm>
    </SettingsPage>
  )
}
