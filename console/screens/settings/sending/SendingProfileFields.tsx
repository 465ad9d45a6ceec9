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

type Profile = SendingSettingsForm['profiles'][number]
const CHANNELS = ['email', 'sms'] as const

const blank = (channel: Profile['channel'], isFirst: boolean, name: string): Profile => ({
  ...{
    id: NEW_SENDING_ENTRY_ID,
    name,
    channel,
    default: isFirst,
    reply: null,
    bounceDomain: null,
    trackingHost: null,
    sender: null,
  },
  from: channel === 'email' ? { prefix: null, domain: null, label: null } : null,
})

interface ProfileProps extends SettingsFieldsProps<SendingSettingsForm> {
  place: number
}

function MailFields({ place, ...own }: ProfileProps) {
  const t = useTranslator(sendingSettingsTexts)
  const domains = useSendingDomains().data ?? []
  const given = own.form.value.profiles[place]?.from?.domain
  // One that was removed since is still named here.
  const names = [...new Set([...domains.map(({ name }) => name), ...(given ? [given] : [])])]
  const at = (member: string): string => `/profiles/${place}/${member}`
  return (
    <>
      <TextField {...own} at={at('from/label')} label={t('label')} />
      <TextField {...own} at={at('from/prefix')} label={t('prefix')} />
      <ChoiceField
        {...own}
        at={at('from/domain')}
        label={t('domain')}
        help={t('defaultDomain')}
        isClearable
        choices={names.map((value) => ({ value, label: value }))}
      />
      <TextField {...own} at={at('reply')} label={t('reply')} help={t('replyWhy')} type="email" />
      <TextField {...own} at={at('bounceDomain')} label={t('bounceDomain')} help={t('bounceDomainWhy')} />
    </>
  )
}

function ProfileLine({ place, ...own }: ProfileProps) {
  const t = useTranslator(sendingSettingsTexts)
  const { form, isReadOnly } = own
  const { profiles } = form.value
  const profile = profiles[place]!
  const { channel, name, default: isDefault } = profile
  const makeDefault = (): void =>
    form.set(
      '/profiles',
      profiles.map((one) => (one.channel === channel ? { ...one, default: one === profile } : one)),
    )
  const at = (member: string): string => `/profiles/${place}/${member}`
  return (
    <details className={styles['entry']} {...(profile.id === NEW_SENDING_ENTRY_ID && { open: true })}>
      <summary>
        <bdi>{name || t('profileNew')}</bdi> <small>{t(channel)}</small>
        {isDefault && <StateBadge tone="good">{t('isDefault')}</StateBadge>}
      </summary>
      <div className={styles['fields']}>
        <TextField {...own} at={at('name')} label={t('name')} />
        {channel === 'email' ? (
          <MailFields {...own} place={place} />
        ) : (
          <TextField {...own} at={at('sender')} label={t('sender')} help={t('senderWhy')} />
        )}
        <TextField {...own} at={at('trackingHost')} label={t('tracking')} help={t('trackingWhy')} />
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

/** Who messages are from. */
export function SendingProfileFields(own: SettingsFieldsProps<SendingSettingsForm>) {
  const t = useTranslator(sendingSettingsTexts)
  const { form, isReadOnly } = own
  const { profiles } = form.value
  const add = (channel: Profile['channel']): void => {
    const isFirst = profiles.every((one) => one.channel !== channel)
    form.set('/profiles', [...profiles, blank(channel, isFirst, '')])
  }
  return (
    <FieldGroup title={t('profiles')}>
      <p className={styles['why']}>{t('profilesWhy')}</p>
      <div>
        {profiles.map(({ id }, place) => (
          <ProfileLine key={id === NEW_SENDING_ENTRY_ID ? `new ${place}` : id} {...own} place={place} />
        ))}
      </div>
      {!isReadOnly && (
        <div className={styles['acts']}>
          {CHANNELS.map((channel) => (
            <Button
              key={channel}
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => add(channel)}
            >
              {t(`profileAdd_${channel}`)}
            </Button>
          ))}
        </div>
      )}
    </FieldGroup>
  )
}
