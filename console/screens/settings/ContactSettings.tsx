import { api, data, versioned } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { ChoiceField, FieldGroup, NumberField, SwitchField } from '../../components/form/fields.tsx'
import { useText } from '../../text/catalogue.ts'
import { DocumentForm, type Fields, ifMatch } from './DocumentForm.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsTexts } from './texts.ts'

type Contacts = Answer<'/settings/contacts', 'get'>

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

const read = () => versioned(api.GET('/settings/contacts'))
const write = (body: Contacts, etag: string | null) =>
  data(api.PUT('/settings/contacts', { body, headers: ifMatch(etag) }))

function ContactFields(own: Fields<Contacts>) {
  const t = useText(settingsTexts)
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
export function ContactSettings() {
  return (
    <SettingsPage>
      <DocumentForm<Contacts> name="contacts" pointers={POINTERS} read={read} write={write}>
        {(own) => <ContactFields {...own} />}
      </DocumentForm>
    </SettingsPage>
  )
}
