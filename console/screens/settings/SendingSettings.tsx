import { TagsInput } from '@mantine/core'
import { api, data, versioned } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { ChoiceField, FieldGroup, NumberField, SwitchField, TextField } from '../../parts/form/fields.tsx'
import { useText } from '../../text/catalogue.ts'
import { DocumentForm, type Fields, ifMatch } from './DocumentForm.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { settingsTexts } from './texts.ts'

type Read = Answer<'/settings/sending', 'get'>
/** What is edited here; senders, domains and analysers have forms of their own. */
type Sending = Omit<Read, 'profiles' | 'domains' | 'webAnalysers' | 'culture' | 'defaultFolder'>

const POINTERS = [
  '/testSubjectPrefix',
  '/testTextPrefix',
  '/testRequired',
  '/unverifiedDomain',
  '/stopMention',
  '/stopOnStandard',
  '/serviceIgnoresRedList',
  '/inDoubt',
  '/attachmentHosts',
  '/reportAddresses',
  '/archiveDays',
  '/honeypotLink',
]

async function read() {
  const { data: all, etag } = await versioned(api.GET('/settings/sending'))
  const { profiles: _, domains: __, webAnalysers: ___, culture: ____, defaultFolder: _____, ...own } = all
  return { data: own, etag }
}
const write = (body: Sending, etag: string | null) =>
  data(api.PUT('/settings/sending', { body, headers: ifMatch(etag) }))

function Words({
  form,
  isReadOnly,
  at,
  label,
  help,
}: Fields<Sending> & { at: 'attachmentHosts' | 'reportAddresses'; label: string; help: string }) {
  return (
    <TagsInput
      label={label}
      description={help}
      error={form.faultAt(`/${at}`)}
      maw={560}
      disabled={isReadOnly}
      value={form.value[at]}
      onChange={(words) => form.set(`/${at}`, words)}
    />
  )
}

function SafetyFields(own: Fields<Sending>) {
  const t = useText(settingsTexts)
  const unverified = [
    { value: 'substitute', label: t('substitute') },
    { value: 'refuse', label: t('refuse') },
  ]
  const doubt = [
    { value: 'hold', label: t('doubtHold') },
    { value: 'send', label: t('doubtSend') },
  ]
  return (
    <FieldGroup title={t('safety')}>
      <ChoiceField
        {...own}
        at="/unverifiedDomain"
        label={t('unverified')}
        help={t('unverifiedWhy')}
        choices={unverified}
      />
      <ChoiceField {...own} at="/inDoubt" label={t('inDoubt')} help={t('inDoubtWhy')} choices={doubt} />
      <SwitchField {...own} at="/serviceIgnoresRedList" label={t('ignoresRed')} help={t('ignoresRedWhy')} />
      <SwitchField {...own} at="/honeypotLink" label={t('honeypot')} help={t('honeypotWhy')} />
    </FieldGroup>
  )
}

function SendingFields(own: Fields<Sending>) {
  const t = useText(settingsTexts)
  return (
    <>
      <FieldGroup title={t('tests')}>
        <SwitchField {...own} at="/testRequired" label={t('testRequired')} help={t('testRequiredWhy')} />
        <TextField {...own} at="/testSubjectPrefix" label={t('testSubject')} />
        <TextField {...own} at="/testTextPrefix" label={t('testText')} />
      </FieldGroup>
      <SafetyFields {...own} />
      <FieldGroup title={t('sms')}>
        <TextField {...own} at="/stopMention" label={t('stopMention')} help={t('stopMentionWhy')} />
        <SwitchField {...own} at="/stopOnStandard" label={t('stopStandard')} />
      </FieldGroup>
      <FieldGroup title={t('copies')}>
        <NumberField {...own} at="/archiveDays" label={t('archiveDays')} help={t('archiveWhy')} unit={t('days')} />
        <Words {...own} at="reportAddresses" label={t('reportTo')} help={t('reportToWhy')} />
        <Words {...own} at="attachmentHosts" label={t('attachments')} help={t('attachmentsWhy')} />
      </FieldGroup>
    </>
  )
}

/** What the account says of all its sends. */
export function SendingSettings() {
  return (
    <SettingsPage>
      <DocumentForm<Sending> name="sending" pointers={POINTERS} read={read} write={write}>
        {(own) => <SendingFields {...own} />}
      </DocumentForm>
    </SettingsPage>
  )
}
