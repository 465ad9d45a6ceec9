import { TagsInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChoiceField, FieldGroup, NumberField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useSendingDomains } from '../../set-up/stored.ts'
import { type SettingsFieldsProps, SettingsForm } from '../SettingsForm.tsx'
import { SettingsPage } from '../SettingsPage.tsx'
import { settingsScreenTexts } from '../texts.ts'
import { ConsentFields } from './ConsentFields.tsx'
import { readSendingForm, type SendingSettingsForm, sendingFormPointers, writeSendingForm } from './document.ts'
import { LinkAnalyserFields } from './LinkAnalyserFields.tsx'
import styles from './Sending.module.css'
import { SendingProfileFields } from './SendingProfileFields.tsx'
import { sendingSettingsTexts } from './texts.ts'

function Words({
  form,
  isReadOnly,
  at,
  label,
  help,
}: SettingsFieldsProps<SendingSettingsForm> & {
  at: 'attachmentHosts' | 'reportAddresses'
  label: string
  help: string
}) {
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

function SafetyFields(own: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(settingsScreenTexts)
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

/** The domains that profiles may name; they are written at deliverability. */
function Domains() {
  const t = useTranslator(sendingSettingsTexts)
  const domains = useSendingDomains().data ?? []
  return (
    <FieldGroup title={t('domains')}>
      <p className={styles['why']}>{t('domainsWhy')}</p>
      <ul className={styles['domains']}>
        {domains.length === 0 && <li>{t('none')}</li>}
        {domains.map(({ name, verified, default: isDefault }) => (
          <li key={name}>
            <Link to="/deliverability/domains/$name" params={{ name }}>
              {name}
            </Link>
            <StateBadge tone={verified ? 'good' : 'warning'}>{t(verified ? 'verified' : 'unverified')}</StateBadge>
            {isDefault && <small>{t('isDefault')}</small>}
          </li>
        ))}
      </ul>
      <p>
        <Link to="/deliverability/domains">{t('domainsOpen')}</Link>
      </p>
    </FieldGroup>
  )
}

function NewMessages(own: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(sendingSettingsTexts)
  return (
    <FieldGroup title={t('newMessages')}>
      <TextField {...own} at="/culture" label={t('culture')} help={t('cultureWhy')} />
      <NumberField {...own} at="/defaultFolder" label={t('folder')} help={t('folderWhy')} min={1} />
    </FieldGroup>
  )
}

function SendingFields(own: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(settingsScreenTexts)
  return (
    <>
      <SendingProfileFields {...own} />
      <Domains />
      <NewMessages {...own} />
      <ConsentFields {...own} />
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
      <LinkAnalyserFields {...own} />
    </>
  )
}

/** What the account says of all its sends. */
export function SendingSettingsPage() {
  return (
    <SettingsPage>
      <SettingsForm<SendingSettingsForm>
        name="sending"
        pointers={sendingFormPointers}
        read={readSendingForm}
        write={writeSendingForm}
      >
        {(own) => <SendingFields {...own} />}
      </SettingsForm>
    </SettingsPage>
  )
}
