import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ChoiceField, FieldGroup, TextField } from '../../components/form/fields.tsx'
import { readPointerValue } from '../../components/form/pointers.ts'
import { SecretField } from '../../components/form/SecretField.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import styles from './ApplicationsPage.module.css'
import {
  type ApplicationForm,
  newPushProviders,
  PUSH_PROVIDER_TYPES,
  type PushProviderForm,
} from './application-kind.ts'
import { applicationTexts } from './texts.ts'

interface Props {
  form: FormState<ApplicationForm>
  isReadOnly: boolean
}

interface ProviderProps extends Props {
  provider: PushProviderForm
  at: string
}

function FirebaseFields({ form, isReadOnly, provider, at }: ProviderProps) {
  const t = useTranslator(applicationTexts)
  const { fingerprint } = provider
  return (
    <>
      <SecretField
        form={form}
        isReadOnly={isReadOnly}
        fingerprint={fingerprint}
        at={`${at}/key`}
        label={t('serviceAccount')}
        help={t('serviceAccountHelp')}
        isKept={fingerprint !== null}
        file="text"
      />
      <TextField form={form} isReadOnly={isReadOnly} at={`${at}/sender`} label={t('project')} help={t('projectHelp')} />
    </>
  )
}

const BLANK_CERTIFICATES = {
  p8: { type: 'p8', value: null, keyId: '', teamId: '' },
  p12: { type: 'p12', value: null, password: null, expiration: null },
} as const

function ApnsFields({ form, isReadOnly, provider, at }: ProviderProps) {
  const t = useTranslator(applicationTexts)
  const format = useLocaleFormat()
  const fieldProps = { form, isReadOnly }
  const { type, expiration } = provider['certificate'] as { type: 'p8' | 'p12'; expiration?: string | null }
  const isSecretStored = provider.fingerprint !== null
  return (
    <>
      <TextField {...fieldProps} at={`${at}/bundle`} label={t('bundle')} help={t('bundleHelp')} />
      <ChoiceField
        {...fieldProps}
        at={`${at}/environment`}
        label={t('environment')}
        choices={(['production', 'sandbox'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <ChoiceField
        form={{ ...form, set: (_, next) => form.set(`${at}/certificate`, BLANK_CERTIFICATES[next as 'p8' | 'p12']) }}
        isReadOnly={isReadOnly}
        at={`${at}/certificate/type`}
        label={t('certificate')}
        choices={(['p8', 'p12'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <SecretField
        {...fieldProps}
        at={`${at}/certificate/value`}
        label={t(type === 'p8' ? 'p8Value' : 'p12Value')}
        help={expiration ? t('expires', { date: format.date(expiration) }) : t('secretHelp')}
        isKept={isSecretStored}
        fingerprint={provider.fingerprint}
        file={type === 'p8' ? 'text' : 'base64'}
      />
      {type === 'p8' ? (
        <>
          <TextField {...fieldProps} at={`${at}/certificate/keyId`} label={t('keyId')} />
          <TextField {...fieldProps} at={`${at}/certificate/teamId`} label={t('teamId')} />
        </>
      ) : (
        <SecretField {...fieldProps} at={`${at}/certificate/password`} label={t('password')} isKept={isSecretStored} />
      )}
    </>
  )
}

function WebPushFields({ form, isReadOnly, provider, at }: ProviderProps) {
  const t = useTranslator(applicationTexts)
  const fieldProps = { form, isReadOnly }
  const isSecretStored = provider.fingerprint !== null
  return (
    <>
      <TextField {...fieldProps} at={`${at}/subject`} label={t('subject')} help={t('subjectHelp')} />
      <TextField {...fieldProps} at={`${at}/publicKey`} label={t('publicKey')} help={t('publicKeyHelp')} />
      <SecretField
        {...fieldProps}
        at={`${at}/privateKey`}
        label={t('privateKey')}
        isKept={isSecretStored}
        fingerprint={provider.fingerprint}
      />
    </>
  )
}

function HttpFields({ form, isReadOnly, provider, at }: ProviderProps) {
  const t = useTranslator(applicationTexts)
  const fieldProps = { form, isReadOnly }
  const generatedSecret = readPointerValue(form.value, `${at}/secret`)
  const isShownOnce = provider.fingerprint !== null && typeof generatedSecret === 'string' && form.changes.length === 0
  return (
    <>
      <TextField {...fieldProps} at={`${at}/url`} type="url" label={t('url')} help={t('urlHelp')} />
      {isShownOnce ? (
        <>
          <p>{t('secretOnce')}</p>
          <CodeBlock code={generatedSecret} label={t('secret')} wrap />
        </>
      ) : (
        <SecretField
          {...fieldProps}
          at={`${at}/secret`}
          label={t('secret')}
          help={t('madeHelp')}
          isKept={provider.fingerprint !== null}
          fingerprint={provider.fingerprint}
        />
      )}
    </>
  )
}

const PROVIDER_FIELDS = {
  firebase: FirebaseFields,
  apns: ApnsFields,
  webpush: WebPushFields,
  http: HttpFields,
} as const

/** The push services that an application is reached by. */
export function PushProviderFields({ form, isReadOnly }: Props) {
  const t = useTranslator(applicationTexts)
  const { providers } = form.value
  const missingTypes = PUSH_PROVIDER_TYPES.filter(
    (type) => !providers.some((configuredProvider) => configuredProvider.type === type),
  )
  const changeProviders = (next: PushProviderForm[]): void => form.set('/providers', next)
  return (
    <FieldGroup title={t('providers')}>
      {providers.length === 0 && <p className={styles['words']}>{t('noProviders')}</p>}
      {providers.map((provider, place) => {
        const ProviderFields = PROVIDER_FIELDS[provider.type]
        const isResting = 'restingSince' in provider || 'restingUntil' in provider
        return (
          <section key={provider.type} className={styles['box']} aria-label={t(provider.type)}>
            <div className={styles['head']}>
              <h3>{t(provider.type)}</h3>
              {isResting && (
                <StateBadge tone="warning" hint={t('restingWhy')}>
                  {t('resting')}
                </StateBadge>
              )}
              {!isReadOnly && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  onClick={() => changeProviders(providers.toSpliced(place, 1))}
                >
                  {t('removeProvider')}
                </Button>
              )}
            </div>
            <ProviderFields form={form} isReadOnly={isReadOnly} provider={provider} at={`/providers/${place}`} />
          </section>
        )
      })}
      {!isReadOnly && missingTypes.length > 0 && (
        <div className={styles['add']}>
          {missingTypes.map((type) => (
            <Button
              key={type}
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => changeProviders([...providers, newPushProviders[type]])}
            >
              {t(type)}
            </Button>
          ))}
        </div>
      )}
    </FieldGroup>
  )
}
