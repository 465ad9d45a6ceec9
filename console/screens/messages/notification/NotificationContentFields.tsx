import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChoiceField, FieldGroup, LongTextField, SwitchField, TextField } from '../../../components/form/fields.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { FormPeriodField } from '../phones/FormPeriodField.tsx'
import styles from '../phones/Phones.module.css'
import { MorePhoneSettings, PurposeFields } from '../phones/Settings.tsx'
import type { MessageContentProps } from '../write/channel.ts'
import { NotificationVersionFields } from './NotificationVersionFields.tsx'
import { blankNotificationVersion, type NotificationForm, useApplications } from './notification-kind.ts'
import { notificationTexts } from './texts.ts'
import { useVersionNames } from './use-version-names.ts'

const MOST = 50

function Versions({ form, isReadOnly }: MessageContentProps<NotificationForm>) {
  const t = useTranslator(notificationTexts)
  const [open, setOpen] = useState(0)
  const { versions } = form.value
  const names = useVersionNames(versions)
  const place = Math.min(open, versions.length - 1)
  const isMaster = versions[place]?.master === true
  return (
    <FieldGroup title={t('versions')}>
      <div className={styles['line']}>
        <SegmentedControl
          maw="100%"
          aria-label={t('versions')}
          data={names.map((label, index) => ({ value: String(index), label }))}
          value={String(place)}
          onChange={(next) => setOpen(Number(next))}
        />
        {!isReadOnly && versions.length < MOST && (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              form.set('/versions', [...versions, blankNotificationVersion])
              setOpen(versions.length)
            }}
          >
            {t('addVersion')}
          </Button>
        )}
      </div>
      <NotificationVersionFields key={place} form={form} at={`/versions/${place}`} isReadOnly={isReadOnly} />
      {!isReadOnly && !isMaster && (
        <div className={styles['line']}>
          <Button
            variant="default"
            onClick={() =>
              form.set(
                '/versions',
                versions.map((version, index) => ({ ...version, master: index === place })),
              )
            }
          >
            {t('makeMaster')}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => form.set('/versions', versions.toSpliced(place, 1))}>
            {t('remove')}
          </Button>
        </div>
      )}
    </FieldGroup>
  )
}

/** A notification: its application, and its versions by condition. */
export function NotificationContentFields({ form, isReadOnly }: MessageContentProps<NotificationForm>) {
  const t = useTranslator(notificationTexts)
  const applications = useApplications().data ?? []
  const common = { form, isReadOnly }
  return (
    <>
      <FieldGroup>
        <TextField {...common} at="/name" label={t('name')} />
        <ChoiceField
          {...common}
          at="/settings/application"
          label={t('application')}
          help={t('applicationHelp')}
          choices={applications.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </FieldGroup>
      <Versions {...common} />
      <FieldGroup title={t('setting')}>
        <PurposeFields {...common} />
        <SwitchField {...common} at="/settings/urgent" label={t('urgent')} help={t('urgentWhy')} />
        {form.value.settings.expiration?.type === 'date' ? (
          <p>{t('expirationDate')}</p>
        ) : (
          <FormPeriodField
            {...common}
            isEnveloped
            at="/settings/expiration"
            label={t('expiration')}
            help={t('expirationWhy')}
          />
        )}
        <MorePhoneSettings {...common}>
          <LongTextField {...common} at="/description" label={t('description')} help={t('descriptionWhy')} />
        </MorePhoneSettings>
      </FieldGroup>
    </>
  )
}
