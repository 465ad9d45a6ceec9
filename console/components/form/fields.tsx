import { NumberInput, Select, Switch, Textarea, TextInput, type TextInputProps } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { readPointerValue } from './pointers.ts'
import type { FormBinding } from './use-form.ts'

interface FieldProps<T> {
  form: FormBinding<T>
  /** JSON Pointer of the member in the document, such as `/name`. Faults of the service refer to it. */
  at: string
  label: string
  /** Below the field. */
  help?: ReactNode
  isReadOnly?: boolean
}

const buildInputProps = <T,>({ form, at, label, help, isReadOnly = false }: FieldProps<T>) => ({
  label,
  description: help,
  error: form.faultAt(at),
  readOnly: isReadOnly,
  maw: 560,
})

interface TextLineProps extends Omit<TextInputProps, 'onChange'> {
  at: string
  onSet(at: string, value: string): void
}

/** Drawn again when it changes itself: a page has many fields. */
const TextLine = memo(function Line({ at, onSet, ...props }: TextLineProps) {
  return <TextInput {...props} onChange={(event) => onSet(at, event.currentTarget.value)} />
})

interface TextFieldProps<T> extends FieldProps<T> {
  type?: 'text' | 'email' | 'url'
  placeholder?: string
  /** It has the focus when its dialog opens. */
  isAutofocused?: boolean
}

/** A line of text. */
export function TextField<T>(props: TextFieldProps<T>) {
  const { form, at, type = 'text', placeholder, isAutofocused = false } = props
  const value = String(readPointerValue(form.value, at) ?? '')
  return (
    <TextLine
      {...buildInputProps(props)}
      {...(isAutofocused && { 'data-autofocus': true })}
      type={type}
      placeholder={placeholder}
      value={value}
      at={at}
      onSet={form.set}
    />
  )
}

/** Lines of text. */
export function LongTextField<T>(props: FieldProps<T> & { rows?: number }) {
  const { form, at, rows = 3 } = props
  return (
    <Textarea
      {...buildInputProps(props)}
      autosize
      minRows={rows}
      maxRows={18}
      value={String(readPointerValue(form.value, at) ?? '')}
      onChange={(event) => form.set(at, event.currentTarget.value)}
    />
  )
}

/** A number; an empty field is null. `factor` is the number of stored units per displayed unit, such as bytes per megabyte. */
export function NumberField<T>(props: FieldProps<T> & { min?: number; max?: number; unit?: string; factor?: number }) {
  const { form, at, min, max, unit, factor = 1 } = props
  const value = readPointerValue(form.value, at)
  return (
    <NumberInput
      {...buildInputProps(props)}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      {...(unit !== undefined && { suffix: ` ${unit}` })}
      clampBehavior="none"
      hideControls
      maw={220}
      value={typeof value === 'number' ? value / factor : ''}
      {...(factor !== 1 && { decimalScale: 2 })}
      onChange={(next) =>
        form.set(at, next === '' ? null : factor === 1 ? Number(next) : Math.round(Number(next) * factor))
      }
    />
  )
}

export interface FieldChoice {
  value: string
  label: string
}

/** One of some. `isNumber`: the document holds a number. */
export function ChoiceField<T>(
  props: FieldProps<T> & { choices: readonly FieldChoice[]; isNumber?: boolean; isClearable?: boolean },
) {
  const { form, at, choices, isNumber = false, isClearable = false } = props
  const value = readPointerValue(form.value, at)
  return (
    <Select
      {...buildInputProps(props)}
      data={[...choices]}
      searchable={choices.length > 8}
      clearable={isClearable}
      allowDeselect={isClearable}
      value={value === null || value === undefined ? null : String(value)}
      onChange={(next) => form.set(at, next === null ? null : isNumber ? Number(next) : next)}
    />
  )
}

/** Yes or no. */
export function SwitchField<T>({ form, at, label, help, isReadOnly = false }: FieldProps<T>) {
  return (
    <Switch
      label={label}
      description={help}
      error={form.faultAt(at)}
      disabled={isReadOnly}
      checked={readPointerValue(form.value, at) === true}
      onChange={(event) => form.set(at, event.currentTarget.checked)}
    />
  )
}

/** Fields that belong together. */
export function FieldGroup({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16 }}>
      {title && <h2>{title}</h2>}
      {children}
    </section>
  )
}
