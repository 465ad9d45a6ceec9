import { CodeBlock } from '../../components/CodeBlock.tsx'
import { ChoiceField, FieldGroup, SwitchField } from '../../components/form/fields.tsx'
import { MultiChoiceField } from '../../components/form/MultiChoiceField.tsx'
import { SecretField } from '../../components/form/SecretField.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { useTranslator } from '../../text/catalogue.ts'
import type { ApplicationForm } from './application-kind.ts'
import { applicationTexts } from './texts.ts'

interface Props {
  form: FormState<ApplicationForm>
  isReadOnly: boolean
  /** The stored application has a secret. */
  isKept: boolean
}

const CONTACT_IDENTIFIERS = ['id', 'unicity', 'hash'] as const
const PROOF_CHOICES = ['required', 'none'] as const

/** The secret that proofs are signed with: written, or shown the one time that it was made. */
function ProofSecretField({ form, isReadOnly, isKept }: Props) {
  const t = useTranslator(applicationTexts)
  const { secret } = form.value.registration
  if (secret && form.changes.length === 0)
    return (
      <>
        <p>{t('proofSecretOnce')}</p>
        <CodeBlock code={secret} label={t('proofSecret')} wrap />
      </>
    )
  return (
    <SecretField
      form={form}
      isReadOnly={isReadOnly}
      isKept={isKept}
      at="/registration/secret"
      label={t('proofSecret')}
      help={t('proofSecretHelp')}
    />
  )
}

/** The fields that decide how devices register and prove their contact. */
export function DeviceRegistrationFields(props: Props) {
  const { form, isReadOnly } = props
  const t = useTranslator(applicationTexts)
  const fieldProps = { form, isReadOnly }
  const { proof } = form.value.registration
  return (
    <FieldGroup title={t('registration')}>
      <SwitchField {...fieldProps} at="/registration/open" label={t('open')} help={t('openHelp')} />
      <MultiChoiceField
        {...fieldProps}
        at="/registration/identifiers"
        label={t('identifiers')}
        help={t('identifiersHelp')}
        choices={CONTACT_IDENTIFIERS.map((value) => ({ value, label: t(value) }))}
      />
      <ChoiceField
        {...fieldProps}
        at="/registration/proof"
        label={t('proof')}
        help={t(proof === 'required' ? 'proofRequiredWhy' : 'proofNoneWhy')}
        choices={PROOF_CHOICES.map((value) => ({
          value,
          label: t(value === 'required' ? 'proofRequired' : 'proofNone'),
        }))}
      />
      {proof === 'required' && <ProofSecretField {...props} />}
    </FieldGroup>
  )
}
