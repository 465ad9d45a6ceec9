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

function Json({ label, value, isReadOnly, error, onChange }: LiteralShapeProps) {
  return (
    <JsonTextField
      isLabelHidden
      empty={undefined}
      {...{ label, value, error, onChange }}
      readOnly={isReadOnly}
      maxHeight={420}
    />
  )
}

function Truth({ label, value, isReadOnly, error, onChange }: LiteralShapeProps) {
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

function Picture({ label, value, isReadOnly, onChange }: LiteralShapeProps) {
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
function Contact(props: LiteralShapeProps) {
  const { label, value, isReadOnly, error, onChange } = props
  const { type, value: id } = (value ?? {}) as { type?: string; value?: unknown }
  if (value !== undefined && value !== null && type !== 'id') return <Json {...props} />
  return (
    <ContactField
      isLabelHidden
      {...{ label, isReadOnly, error }}
      value={typeof id === 'string' ? id : null}
      onChange={(next) => onChange(next === null ? undefined : { type: 'id', value: next })}
    />
  )
}

function Headers({ value, isReadOnly, onChange }: LiteralShapeProps) {
  return (
    <div className={styles['indented']}>
      <EmailSenderFields form={createLiteralForm({ value, onChange })} at="" isReadOnly={isReadOnly} />
    </div>
  )
}

function SmsContent({ label, value, isReadOnly, onChange }: LiteralShapeProps) {
  return <LongTextField form={createLiteralForm({ value, onChange })} at="/text" {...{ label, isReadOnly }} />
}

function Fallback({ value, isReadOnly, onChange }: LiteralShapeProps) {
  const [t, own] = [useTranslator(literalShapeTexts), useTranslator(workflowFieldTexts)]
  const form = createLiteralForm({
    value,
    onChange: (next) => onChange(next === undefined ? undefined : { type: 'sms', ...(next as object) }),
  })
  return (
    <div className={styles['indented']}>
      <TextField form={form} at="/text" label={own('set-text')} isReadOnly={isReadOnly} />
      <FormPeriodField form={form} at="/after" label={t('fallbackAfter')} isReadOnly={isReadOnly} />
    </div>
  )
}

function Expiration({ label, value, isReadOnly, onChange }: LiteralShapeProps) {
  const form = createLiteralForm({
    value: { it: value },
    onChange: (next) => onChange((next as { it?: unknown } | undefined)?.it),
  })
  return <FormPeriodField isEnveloped form={form} at="/it" label={label} isReadOnly={isReadOnly} />
}

/** How values are given that are no texts. */
export const LITERAL_SHAPE_FIELDS: Readonly<Record<LiteralShape, ComponentType<LiteralShapeProps>>> = {
  json: Json,
  truth: Truth,
  picture: Picture,
  contact: Contact,
  headers: Headers,
  mailContent: MailContentField,
  smsContent: SmsContent,
  attachments: AttachmentsField,
  copies: MailCopiesField,
  fallback: Fallback,
  expiration: Expiration,
}
