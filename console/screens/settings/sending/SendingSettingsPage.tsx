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

function TextListField({
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

function SafetyFields(fieldProps: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(settingsScreenTexts)
  const unverified = [
    { value: 'substitute', label: t('substitute') },
    { value: 'refuse', label: t('refuse') },
  ]
  const uncertainChoices = [
    { value: 'hold', label: t('doubtHold') },
    { value: 'send', label: t('doubtSend') },
  ]
  return (
    <FieldGroup title={t('safety')}>
      <ChoiceField
        {...fieldProps}
        at="/unverifiedDomain"
        label={t('unverified')}
        help={t('unverifiedWhy')}
        choices={unverified}
      />
      <ChoiceField
        {...fieldProps}
        at="/inDoubt"
        label={t('inDoubt')}
        help={t('inDoubtWhy')}
        choices={uncertainChoices}
      />
      <SwitchField {...fieldProps} at="/serviceIgnoresRedList" label={t('ignoresRed')} help={t('ignoresRedWhy')} />
      <SwitchField {...fieldProps} at="/honeypotLink" label={t('honeypot')} help={t('honeypotWhy')} />
    </FieldGroup>
  )
}

/** The domains that profiles may name; they are written at deliverability. */
function DomainList() {
  const t = useTranslator(sendingSettingsTexts)
  const sendingDomains = useSendingDomains().data ?? []
  return (
    <FieldGroup title={t('domains')}>
      <p className={styles['why']}>{t('domainsWhy')}</p>
      <ul className={styles['domains']}>
        {sendingDomains.length === 0 && <li>{t('none')}</li>}
        {sendingDomains.map(({ name, verified, default: isDefault }) => (
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

function NewMessageFields(fieldProps: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(sendingSettingsTexts)
  return (
    <FieldGroup title={t('newMessages')}>
      <TextField {...fieldProps} at="/culture" label={t('culture')} help={t('cultureWhy')} />
      <NumberField {...fieldProps} at="/defaultFolder" label={t('folder')} help={t('folderWhy')} min={1} />
    </FieldGroup>
  )
}

function SendingFields(fieldProps: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(settingsScreenTexts)
  return (
    <>
      <SendingProfileFields {...fieldProps} />
      <DomainList />
      <NewMessageFields {...fieldProps} />
      <ConsentFields {...fieldProps} />
      <FieldGroup title={t('tests')}>
        <SwitchField {...fieldProps} at="/testRequired" label={t('testRequired')} help={t('testRequiredWhy')} />
        <TextField {...fieldProps} at="/testSubjectPrefix" label={t('testSubject')} />
        <TextField {...fieldProps} at="/testTextPrefix" label={t('testText')} />
      </FieldGroup>
      <SafetyFields {...fieldProps} />
      <FieldGroup title={t('sms')}>
        <TextField {...fieldProps} at="/stopMention" label={t('stopMention')} help={t('stopMentionWhy')} />
        <SwitchField {...fieldProps} at="/stopOnStandard" label={t('stopStandard')} />
      </FieldGroup>
      <FieldGroup title={t('copies')}>
        <NumberField
          {...fieldProps}
          at="/archiveDays"
          label={t('archiveDays')}
          help={t('archiveWhy')}
          unit={t('days')}
        />
        <TextListField {...fieldProps} at="reportAddresses" label={t('reportTo')} help={t('reportToWhy')} />
        <TextListField {...fieldProps} at="attachmentHosts" label={t('attachments')} help={t('attachmentsWhy')} />
      </FieldGroup>
      <LinkAnalyserFields {...fieldProps} />
    </>
  )
}

/** Settings that apply to all messages of the account. */
export function SendingSettingsPage() {
  return (
    <SettingsPage>
      <SettingsForm<SendingSettingsForm>
        name="sending"
        pointers={sendingFormPointers}
        read={readSendingForm}
        write={writeSendingForm}
      >
        {(fieldProps) => <SendingFields {...fieldProps} />}
      </SettingsForm>
    </SettingsPage>
  )
}
