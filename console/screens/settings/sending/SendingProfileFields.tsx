import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ChoiceField, FieldGroup, TextField } from '../../../components/form/fields.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useSendingDomains } from '../../set-up/stored.ts'
import type { SettingsFieldsProps } from '../SettingsForm.tsx'
import { NEW_SENDING_ENTRY_ID, type SendingSettingsForm } from './document.ts'
import styles from './Sending.module.css'
import { sendingSettingsTexts } from './texts.ts'

type SendingProfile = SendingSettingsForm['profiles'][number]
const PROFILE_CHANNELS = ['email', 'sms'] as const

const createBlankProfile = (channel: SendingProfile['channel'], isFirst: boolean, name: string): SendingProfile => ({
  id: NEW_SENDING_ENTRY_ID,
  name,
  channel,
  default: isFirst,
  reply: null,
  bounceDomain: null,
  trackingHost: null,
  sender: null,
  from: channel === 'email' ? { prefix: null, domain: null, label: null } : null,
})

interface ProfileProps extends SettingsFieldsProps<SendingSettingsForm> {
  place: number
}

function MailFields({ place, ...fieldProps }: ProfileProps) {
  const t = useTranslator(sendingSettingsTexts)
  const sendingDomains = useSendingDomains().data ?? []
  const storedDomain = fieldProps.form.value.profiles[place]?.from?.domain
  // One that was removed since is still named here.
  const domainNames = [...new Set([...sendingDomains.map(({ name }) => name), ...(storedDomain ? [storedDomain] : [])])]
  const buildPointer = (member: string): string => `/profiles/${place}/${member}`
  return (
    <>
      <TextField {...fieldProps} at={buildPointer('from/label')} label={t('label')} />
      <TextField {...fieldProps} at={buildPointer('from/prefix')} label={t('prefix')} />
      <ChoiceField
        {...fieldProps}
        at={buildPointer('from/domain')}
        label={t('domain')}
        help={t('defaultDomain')}
        isClearable
        choices={domainNames.map((value) => ({ value, label: value }))}
      />
      <TextField {...fieldProps} at={buildPointer('reply')} label={t('reply')} help={t('replyWhy')} type="email" />
      <TextField
        {...fieldProps}
        at={buildPointer('bounceDomain')}
        label={t('bounceDomain')}
        help={t('bounceDomainWhy')}
      />
    </>
  )
}

function ProfileLine({ place, ...fieldProps }: ProfileProps) {
  const t = useTranslator(sendingSettingsTexts)
  const { form, isReadOnly } = fieldProps
  const { profiles } = form.value
  const currentProfile = profiles[place]!
  const { channel, name, default: isDefault } = currentProfile
  const makeDefault = (): void =>
    form.set(
      '/profiles',
      profiles.map((candidate) =>
        candidate.channel === channel ? { ...candidate, default: candidate === currentProfile } : candidate,
      ),
    )
  const buildPointer = (member: string): string => `/profiles/${place}/${member}`
  return (
    <details className={styles['entry']} {...(currentProfile.id === NEW_SENDING_ENTRY_ID && { open: true })}>
      <summary>
        <bdi>{name || t('profileNew')}</bdi> <small>{t(channel)}</small>
        {isDefault && <StateBadge tone="neutral">{t('isDefault')}</StateBadge>}
      </summary>
      <div className={styles['fields']}>
        <TextField {...fieldProps} at={buildPointer('name')} label={t('name')} />
        {channel === 'email' ? (
          <MailFields {...fieldProps} place={place} />
        ) : (
          <TextField {...fieldProps} at={buildPointer('sender')} label={t('sender')} help={t('senderWhy')} />
        )}
        <TextField {...fieldProps} at={buildPointer('trackingHost')} label={t('tracking')} help={t('trackingWhy')} />
        {!isReadOnly && !isDefault && (
          <div className={styles['acts']}>
            <Button size="compact-sm" variant="default" onClick={makeDefault}>
              {t('makeDefault')}
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('remove', { name })}
              onClick={() => form.set('/profiles', profiles.toSpliced(place, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        )}
      </div>
    </details>
  )
}

/** Senders of messages. */
export function SendingProfileFields(fieldProps: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(sendingSettingsTexts)
  const { form, isReadOnly } = fieldProps
  const { profiles } = form.value
  const addProfile = (channel: SendingProfile['channel']): void => {
    const isFirst = profiles.every((candidate) => candidate.channel !== channel)
    form.set('/profiles', [...profiles, createBlankProfile(channel, isFirst, '')])
  }
  return (
    <FieldGroup title={t('profiles')}>
      <p className={styles['why']}>{t('profilesWhy')}</p>
      <div>
        {profiles.map(({ id }, place) => (
          <ProfileLine key={id === NEW_SENDING_ENTRY_ID ? `new ${place}` : id} {...fieldProps} place={place} />
        ))}
      </div>
      {!isReadOnly && (
        <div className={styles['acts']}>
          {PROFILE_CHANNELS.map((channel) => (
            <Button
              key={channel}
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => addProfile(channel)}
            >
              {t(`profileAdd_${channel}`)}
            </Button>
          ))}
        </div>
      )}
    </FieldGroup>
  )
}
