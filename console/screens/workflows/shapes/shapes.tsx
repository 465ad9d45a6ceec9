import { Select } from '@mantine/core'
import type { ComponentType } from 'react'
import { ContactField } from '../../../components/ContactField.tsx'
import { JsonTextField } from '../../../components/code/FormJsonField.tsx'
import { LongTextField, TextField } from '../../../components/form/fields.tsx'
import { PictureField } from '../../../components/media/PictureField.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { EmailSenderFields } from '../../messages/email/EmailSenderFields.tsx'
import { FormPeriodField } from '../../messages/phones/FormPeriodField.tsx'
import { workflowFieldTexts } from '../fields/texts.ts'
import type { LiteralShape } from '../model/settings.ts'
import styles from '../WorkflowsPage.module.css'
import { AttachmentsField } from './AttachmentsField.tsx'
import { MailContentField } from './MailContentField.tsx'
import { MailCopiesField } from './MailCopiesField.tsx'
import { literalShapeTexts } from './texts.ts'
import { createLiteralForm, type LiteralShapeProps } from './value.ts'

function JsonShapeField({ label, value, isReadOnly, error, onChange }: LiteralShapeProps) {
  return (
    <JsonTextField
      isLabelHidden
      empty={undefined}
      label={label}
      value={value}
      error={error}
      onChange={onChange}
      readOnly={isReadOnly}
      maxHeight={420}
    />
  )
}

function BooleanShapeField({ label, value, isReadOnly, error, onChange }: LiteralShapeProps) {
  const t = useTranslator(literalShapeTexts)
  return (
    <Select
      clearable
      aria-label={label}
      readOnly={isReadOnly}
      error={error}
      data={[
        { value: 'true', label: t('yes') },
        { value: 'false', label: t('no') },
      ]}
      value={typeof value === 'boolean' ? String(value) : null}
      onChange={(next) => onChange(next === null ? undefined : next === 'true')}
    />
  )
}

function PictureShapeField({ label, value, isReadOnly, onChange }: LiteralShapeProps) {
  return (
    <PictureField
      isLabelHidden
      label={label}
      size="sm"
      readOnly={isReadOnly}
      isSilent={false}
      value={typeof value === 'string' ? value : ''}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  )
}

/** A contact by its id; one that is named otherwise is shown as it is. */
function ContactShapeField(props: LiteralShapeProps) {
  const { label, value, isReadOnly, error, onChange } = props
  const { type, value: id } = (value ?? {}) as { type?: string; value?: unknown }
  if (value !== undefined && value !== null && type !== 'id') return <JsonShapeField {...props} />
  return (
    <ContactField
      isLabelHidden
      label={label}
      isReadOnly={isReadOnly}
      error={error}
      value={typeof id === 'string' ? id : null}
      onChange={(next) => onChange(next === null ? undefined : { type: 'id', value: next })}
    />
  )
}

function HeadersShapeField({ value, isReadOnly, onChange }: LiteralShapeProps) {
  return (
    <div className={styles['indented']}>
      <EmailSenderFields form={createLiteralForm({ value, onChange })} at="" isReadOnly={isReadOnly} />
    </div>
  )
}

function SmsContentField({ label, value, isReadOnly, onChange }: LiteralShapeProps) {
  return (
    <LongTextField form={createLiteralForm({ value, onChange })} at="/text" label={label} isReadOnly={isReadOnly} />
  )
}

function FallbackField({ value, isReadOnly, onChange }: LiteralShapeProps) {
  const [t, fieldT] = [useTranslator(literalShapeTexts), useTranslator(workflowFieldTexts)]
  const form = createLiteralForm({
    value,
    onChange: (next) => onChange(next === undefined ? undefined : { type: 'sms', ...(next as object) }),
  })
  return (
    <div className={styles['indented']}>
      <TextField form={form} at="/text" label={fieldT('set-text')} isReadOnly={isReadOnly} />
      <FormPeriodField form={form} at="/after" label={t('fallbackAfter')} isReadOnly={isReadOnly} />
    </div>
  )
}

function ExpirationField({ label, value, isReadOnly, onChange }: LiteralShapeProps) {
  const form = createLiteralForm({
    value: { it: value },
    onChange: (next) => onChange((next as { it?: unknown } | undefined)?.it),
  })
  return <FormPeriodField isEnveloped form={form} at="/it" label={label} isReadOnly={isReadOnly} />
}

/** Fields for literal values other than texts. */
export const LITERAL_SHAPE_FIELDS: Readonly<Record<LiteralShape, ComponentType<LiteralShapeProps>>> = {
  json: JsonShapeField,
  truth: BooleanShapeField,
  picture: PictureShapeField,
  contact: ContactShapeField,
  headers: HeadersShapeField,
  mailContent: MailContentField,
  smsContent: SmsContentField,
  attachments: AttachmentsField,
  copies: MailCopiesField,
  fallback: FallbackField,
  expiration: ExpirationField,
}
