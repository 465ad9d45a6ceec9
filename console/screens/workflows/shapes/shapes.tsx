import { Select } from '@mantine/core'
import type { ComponentType } from 'react'
import { ContactField } from '../../../components/ContactField.tsx'
import { JsonText } from '../../../components/code/JsonField.tsx'
import { LongTextField, TextField } from '../../../components/form/fields.tsx'
import { PictureField } from '../../../components/media/PictureField.tsx'
import { useText } from '../../../text/catalogue.ts'
import { Sender } from '../../messages/email/Sender.tsx'
import { PeriodField } from '../../messages/phones/PeriodField.tsx'
import { fieldTexts } from '../fields/texts.ts'
import type { Shape } from '../model/settings.ts'
import styles from '../Workflows.module.css'
import { Attachments } from './Attachments.tsx'
import { Copies } from './Copies.tsx'
import { MailContent } from './MailContent.tsx'
import { shapeTexts } from './texts.ts'
import { formOf, type ShapeProps } from './value.ts'

function Json({ label, value, isReadOnly, error, onChange }: ShapeProps) {
  return (
    <JsonText
      isLabelHidden
      empty={undefined}
      {...{ label, value, error, onChange }}
      readOnly={isReadOnly}
      maxHeight={420}
    />
  )
}

function Truth({ label, value, isReadOnly, error, onChange }: ShapeProps) {
  const t = useText(shapeTexts)
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

function Picture({ label, value, isReadOnly, onChange }: ShapeProps) {
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
function Contact(props: ShapeProps) {
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

function Headers({ value, isReadOnly, onChange }: ShapeProps) {
  return (
    <div className={styles['indented']}>
      <Sender form={formOf({ value, onChange })} at="" isReadOnly={isReadOnly} />
    </div>
  )
}

function SmsContent({ label, value, isReadOnly, onChange }: ShapeProps) {
  return <LongTextField form={formOf({ value, onChange })} at="/text" {...{ label, isReadOnly }} />
}

function Fallback({ value, isReadOnly, onChange }: ShapeProps) {
  const [t, own] = [useText(shapeTexts), useText(fieldTexts)]
  const form = formOf({
    value,
    onChange: (next) => onChange(next === undefined ? undefined : { type: 'sms', ...(next as object) }),
  })
  return (
    <div className={styles['indented']}>
      <TextField form={form} at="/text" label={own('set-text')} isReadOnly={isReadOnly} />
      <PeriodField form={form} at="/after" label={t('fallbackAfter')} isReadOnly={isReadOnly} />
    </div>
  )
}

function Expiration({ label, value, isReadOnly, onChange }: ShapeProps) {
  const form = formOf({
    value: { it: value },
    onChange: (next) => onChange((next as { it?: unknown } | undefined)?.it),
  })
  return <PeriodField isEnveloped form={form} at="/it" label={label} isReadOnly={isReadOnly} />
}

/** How values are given that are no texts. */
export const SHAPES: Readonly<Record<Shape, ComponentType<ShapeProps>>> = {
  json: Json,
  truth: Truth,
  picture: Picture,
  contact: Contact,
  headers: Headers,
  mailContent: MailContent,
  smsContent: SmsContent,
  attachments: Attachments,
  copies: Copies,
  fallback: Fallback,
  expiration: Expiration,
}
