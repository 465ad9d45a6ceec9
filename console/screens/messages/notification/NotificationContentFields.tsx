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

const MAX_VERSIONS = 50

function VersionTabs({ form, isReadOnly }: MessageContentProps<NotificationForm>) {
  const t = useTranslator(notificationTexts)
  const [openIndex, setOpenIndex] = useState(0)
  const { versions } = form.value
  const versionNames = useVersionNames(versions)
  const currentIndex = Math.min(openIndex, versions.length - 1)
  const isMaster = versions[currentIndex]?.master === true
  return (
    <FieldGroup title={t('versions')}>
      <div className={styles['line']}>
        <SegmentedControl
          maw="100%"
          aria-label={t('versions')}
          data={versionNames.map((label, index) => ({ value: String(index), label }))}
          value={String(currentIndex)}
          onChange={(next) => setOpenIndex(Number(next))}
        />
        {!isReadOnly && versions.length < MAX_VERSIONS && (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              form.set('/versions', [...versions, blankNotificationVersion])
              setOpenIndex(versions.length)
            }}
          >
            {t('addVersion')}
          </Button>
        )}
      </div>
      <NotificationVersionFields
        key={currentIndex}
        form={form}
        at={`/versions/${currentIndex}`}
        isReadOnly={isReadOnly}
      />
      {!isReadOnly && !isMaster && (
        <div className={styles['line']}>
          <Button
            variant="default"
            onClick={() =>
              form.set(
                '/versions',
                versions.map((version, index) => ({ ...version, master: index === currentIndex })),
              )
            }
          >
            {t('makeMaster')}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            onClick={() => form.set('/versions', versions.toSpliced(currentIndex, 1))}
          >
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
  const fieldProps = { form, isReadOnly }
  return (
    <>
      <FieldGroup>
        <TextField {...fieldProps} at="/name" label={t('name')} />
        <ChoiceField
          {...fieldProps}
          at="/settings/application"
          label={t('application')}
          help={t('applicationHelp')}
          choices={applications.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </FieldGroup>
      <VersionTabs {...fieldProps} />
      <FieldGroup title={t('setting')}>
        <PurposeFields {...fieldProps} />
        <SwitchField {...fieldProps} at="/settings/urgent" label={t('urgent')} help={t('urgentWhy')} />
        {form.value.settings.expiration?.type === 'date' ? (
          <p>{t('expirationDate')}</p>
        ) : (
          <FormPeriodField
            {...fieldProps}
            isEnveloped
            at="/settings/expiration"
            label={t('expiration')}
            help={t('expirationWhy')}
          />
        )}
        <MorePhoneSettings {...fieldProps}>
          <LongTextField {...fieldProps} at="/description" label={t('description')} help={t('descriptionWhy')} />
        </MorePhoneSettings>
      </FieldGroup>
    </>
  )
}
