import {
  ChoiceField,
  FieldGroup,
  LongTextField,
  NumberField,
  SwitchField,
  TextField,
} from '../../components/form/fields.tsx'
import { SecretField } from '../../components/form/SecretField.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { blankGoogleProvider, type RcsProfileForm } from './profile-kind.ts'
import { rcsProfileTexts } from './texts.ts'

interface Props {
  form: FormState<RcsProfileForm>
  isReadOnly: boolean
}

const PROVIDER_REGIONS = ['us', 'europe', 'asia'] as const

/** Provider that sends the messages of the profile. */
function ProviderFields({ form, isReadOnly }: Props) {
  const t = useTranslator(rcsProfileTexts)
  const fieldProps = { form, isReadOnly }
  const { provider } = form.value
  return (
    <FieldGroup title={t('provider')}>
      <ChoiceField
        form={{
          ...form,
          set: (_, next) => form.set('/provider', next === 'capture' ? { type: 'capture' } : blankGoogleProvider),
        }}
        isReadOnly={isReadOnly}
        at="/provider/type"
        label={t('kind')}
        help={t(provider.type === 'capture' ? 'captureHelp' : 'googleHelp')}
        choices={(['google-rbm', 'capture'] as const).map((value) => ({ value, label: t(value) }))}
      />
      {provider.type === 'google-rbm' && (
        <>
          <ChoiceField
            {...fieldProps}
            isClearable
            at="/provider/region"
            label={t('region')}
            help={t('regionHelp')}
            choices={PROVIDER_REGIONS.map((value) => ({ value, label: t(value) }))}
          />
          <SecretField
            {...fieldProps}
            at="/provider/credentials"
            label={t('credentials')}
            help={t('credentialsHelp')}
            isKept={provider.fingerprint !== null}
            fingerprint={provider.fingerprint}
            file="text"
          />
          <SecretField
            {...fieldProps}
            at="/provider/clientToken"
            label={t('clientToken')}
            help={t('clientTokenHelp')}
            isKept={provider.clientTokenSet}
          />
        </>
      )}
    </FieldGroup>
  )
}

function CapabilityFields({ form, isReadOnly }: Props) {
  const t = useTranslator(rcsProfileTexts)
  const fieldProps = { form, isReadOnly }
  const { fallback, capability } = form.value
  return (
    <FieldGroup title={t('reach')}>
      <SwitchField {...fieldProps} at="/capability/check" label={t('check')} help={t('checkHelp')} />
      {capability.check && (
        <NumberField
          {...fieldProps}
          at="/capability/cacheHours"
          label={t('cacheHours')}
          help={t('cacheHelp')}
          min={0}
          max={720}
          unit={t('hours')}
        />
      )}
      <SwitchField
        form={{
          ...form,
          value: { ...form.value, fallback: fallback !== null } as unknown as RcsProfileForm,
          set: (_, next) => form.set('/fallback', next === true ? { type: 'sms', sender: null } : null),
        }}
        isReadOnly={isReadOnly}
        at="/fallback"
        label={t('fallback')}
        help={t('fallbackHelp')}
      />
      {fallback && <TextField {...fieldProps} at="/fallback/sender" label={t('sender')} help={t('senderHelp')} />}
    </FieldGroup>
  )
}

/** The fields of a profile. */
export function RcsProfileFields({ form, isReadOnly }: Props) {
  const t = useTranslator(rcsProfileTexts)
  const fieldProps = { form, isReadOnly }
  return (
    <>
      <FieldGroup>
        <TextField {...fieldProps} at="/name" label={t('name')} />
        <TextField {...fieldProps} at="/agent" label={t('agent')} help={t('agentHelp')} />
        <SwitchField {...fieldProps} at="/active" label={t('isActive')} help={t('activeHelp')} />
        <TextField {...fieldProps} at="/country" label={t('country')} help={t('countryHelp')} />
        <NumberField {...fieldProps} at="/speed" label={t('speed')} help={t('speedHelp')} min={0} max={5000} />
        <LongTextField {...fieldProps} at="/description" label={t('description')} />
      </FieldGroup>
      <ProviderFields {...fieldProps} />
      <CapabilityFields {...fieldProps} />
    </>
  )
}
