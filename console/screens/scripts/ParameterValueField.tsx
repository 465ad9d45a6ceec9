import { NumberInput, Select, TextInput } from '@mantine/core'
import { JsonTextField } from '../../components/code/FormJsonField.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { scriptTexts } from './texts.ts'

interface Props {
  /** A type of parameters. */
  type: string | null
  label: string
  isLabelHidden?: boolean
  help?: string | undefined
  value: unknown
  error?: string | undefined
  isReadOnly: boolean
  onChange(value: unknown): void
}

const formatValue = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** A value of one of the types of parameters; nothing written is null. */
export function ParameterValueField({
  type,
  label,
  isLabelHidden = false,
  help,
  value,
  error,
  isReadOnly,
  onChange,
}: Props) {
  const t = useTranslator(scriptTexts)
  const inputProps = {
    size: 'xs' as const,
    error,
    readOnly: isReadOnly,
    ...(isLabelHidden ? { 'aria-label': label, placeholder: label } : { label, description: help }),
  }
  if (type === 'number')
    return (
      <NumberInput
        {...inputProps}
        hideControls
        value={typeof value === 'number' ? value : formatValue(value)}
        onChange={(next) => onChange(next === '' ? null : Number(next))}
      />
    )
  if (type === 'boolean')
    return (
      <Select
        {...inputProps}
        clearable
        data={[
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]}
        value={typeof value === 'boolean' ? String(value) : null}
        onChange={(next) => onChange(next === null ? null : next === 'true')}
      />
    )
  if (type === 'list' || type === 'object')
    return (
      <JsonTextField
        label={label}
        isLabelHidden={isLabelHidden}
        minHeight={36}
        value={value}
        error={error}
        readOnly={isReadOnly}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      {...inputProps}
      {...(type === 'date' && { placeholder: '2026-01-31' })}
      value={formatValue(value)}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    />
  )
}
