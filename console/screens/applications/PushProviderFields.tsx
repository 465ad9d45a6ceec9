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

interface OneProps extends Props {
  provider: PushProviderForm
  at: string
}

function Firebase({ form, isReadOnly, provider, at }: OneProps) {
  const t = useTranslator(applicationTexts)
  const { fingerprint } = provider
  return (
    <>
      <SecretField
        {...{ form, isReadOnly, fingerprint }}
        at={`${at}/key`}
        label={t('serviceAccount')}
        help={t('serviceAccountHelp')}
        isKept={fingerprint !== null}
        file="text"
      />
      <TextField {...{ form, isReadOnly }} at={`${at}/sender`} label={t('project')} help={t('projectHelp')} />
    </>
  )
}

const CERTIFICATES = {
  p8: { type: 'p8', value: null, keyId: '', teamId: '' },
  p12: { type: 'p12', value: null, password: null, expiration: null },
} as const

function Apns({ form, isReadOnly, provider, at }: OneProps) {
  const t = useTranslator(applicationTexts)
  const format = useLocaleFormat()
  const common = { form, isReadOnly }
  const { type, expiration } = provider['certificate'] as { type: 'p8' | 'p12'; expiration?: string | null }
  const isKept = provider.fingerprint !== null
  return (
    <>
      <TextField {...common} at={`${at}/bundle`} label={t('bundle')} help={t('bundleHelp')} />
      <ChoiceField
        {...common}
        at={`${at}/environment`}
        label={t('environment')}
        choices={(['production', 'sandbox'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <ChoiceField
        form={{ ...form, set: (_, next) => form.set(`${at}/certificate`, CERTIFICATES[next as 'p8' | 'p12']) }}
        isReadOnly={isReadOnly}
        at={`${at}/certificate/type`}
        label={t('certificate')}
        choices={(['p8', 'p12'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <SecretField
        {...common}
        at={`${at}/certificate/value`}
        label={t(type === 'p8' ? 'p8Value' : 'p12Value')}
        help={expiration ? t('expires', { date: format.date(expiration) }) : t('secretHelp')}
        isKept={isKept}
        fingerprint={provider.fingerprint}
        file={type === 'p8' ? 'text' : 'base64'}
      />
      {type === 'p8' ? (
        <>
          <TextField {...common} at={`${at}/certificate/keyId`} label={t('keyId')} />
          <TextField {...common} at={`${at}/certificate/teamId`} label={t('teamId')} />
        </>
      ) : (
        <SecretField {...common} at={`${at}/certificate/password`} label={t('password')} isKept={isKept} />
      )}
    </>
  )
}

function WebPush({ form, isReadOnly, provider, at }: OneProps) {
  const t = useTranslator(applicationTexts)
  const common = { form, isReadOnly }
  const isKept = provider.fingerprint !== null
  return (
    <>
      <TextField {...common} at={`${at}/subject`} label={t('subject')} help={t('subjectHelp')} />
      <TextField {...common} at={`${at}/publicKey`} label={t('publicKey')} help={t('publicKeyHelp')} />
      <SecretField
        {...common}
        at={`${at}/privateKey`}
        label={t('privateKey')}
        isKept={isKept}
        fingerprint={provider.fingerprint}
      />
    </>
  )
}

function Http({ form, isReadOnly, provider, at }: OneProps) {
  const t = useTranslator(applicationTexts)
  const common = { form, isReadOnly }
  const made = readPointerValue(form.value, `${at}/secret`)
  const isShownOnce = provider.fingerprint !== null && typeof made === 'string' && form.changes.length === 0
  return (
    <>
      <TextField {...common} at={`${at}/url`} type="url" label={t('url')} help={t('urlHelp')} />
      {isShownOnce ? (
        <>
          <p>{t('secretOnce')}</p>
          <CodeBlock code={made} label={t('secret')} wrap />
        </>
      ) : (
        <SecretField
          {...common}
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

const FORMS = { firebase: Firebase, apns: Apns, webpush: WebPush, http: Http } as const

/** The push services that an application is reached by. */
export function PushProviderFields({ form, isReadOnly }: Props) {
  const t = useTranslator(applicationTexts)
  const { providers } = form.value
  const missing = PUSH_PROVIDER_TYPES.filter((type) => !providers.some((one) => one.type === type))
  const set = (next: PushProviderForm[]): void => form.set('/providers', next)
  return (
    <FieldGroup title={t('providers')}>
      {providers.length === 0 && <p className={styles['words']}>{t('noProviders')}</p>}
      {providers.map((provider, place) => {
        const One = FORMS[provider.type]
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
                  onClick={() => set(providers.toSpliced(place, 1))}
                >
                  {t('removeProvider')}
                </Button>
              )}
            </div>
            <One form={form} isReadOnly={isReadOnly} provider={provider} at={`/providers/${place}`} />
          </section>
        )
      })}
      {!isReadOnly && missing.length > 0 && (
        <div className={styles['add']}>
          {missing.map((type) => (
            <Button
              key={type}
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => set([...providers, newPushProviders[type]])}
            >
              {t(type)}
            </Button>
          ))}
        </div>
      )}
    </FieldGroup>
  )
}
