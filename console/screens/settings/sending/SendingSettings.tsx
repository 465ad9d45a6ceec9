import { TagsInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../../components/Badge.tsx'
import { ChoiceField, FieldGroup, NumberField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useDomains } from '../../set-up/stored.ts'
import { DocumentForm, type Fields } from '../DocumentForm.tsx'
import { SettingsPage } from '../SettingsPage.tsx'
import { settingsTexts } from '../texts.ts'
import { Analysers } from './Analysers.tsx'
import { Consent } from './Consent.tsx'
import { pointers, readSending, type Sending, writeSending } from './document.ts'
import { Profiles } from './Profiles.tsx'
import styles from './Sending.module.css'
import { sendingTexts } from './texts.ts'

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

/** The domains that profiles may name; they are written at deliverability. */
function Domains() {
  const t = useText(sendingTexts)
  const domains = useDomains().data ?? []
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
            <Badge tone={verified ? 'good' : 'warning'}>{t(verified ? 'verified' : 'unverified')}</Badge>
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

function NewMessages(own: Fields<Sending>) {
  const t = useText(sendingTexts)
  return (
    <FieldGroup title={t('newMessages')}>
      <TextField {...own} at="/culture" label={t('culture')} help={t('cultureWhy')} />
      <NumberField {...own} at="/defaultFolder" label={t('folder')} help={t('folderWhy')} min={1} />
    </FieldGroup>
  )
}

function SendingFields(own: Fields<Sending>) {
  const t = useText(settingsTexts)
  return (
    <>
      <Profiles {...own} />
      <Domains />
      <NewMessages {...own} />
      <Consent {...own} />
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
      <Analysers {...own} />
    </>
  )
}

/** What the account says of all its sends. */
export function SendingSettings() {
  return (
    <SettingsPage>
      <DocumentForm<Sending> name="sending" pointers={pointers} read={readSending} write={writeSending}>
        {(own) => <SendingFields {...own} />}
      </DocumentForm>
    </SettingsPage>
  )
}
