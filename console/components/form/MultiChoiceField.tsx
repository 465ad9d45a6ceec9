import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import type { FieldChoice } from './fields.tsx'
import { readPointerValue } from './pointers.ts'
import type { FormBinding } from './use-form.ts'

interface Props<T> {
  form: FormBinding<T>
  at: string
  label: string
  choices: readonly FieldChoice[]
  help?: ReactNode
  /** The document holds numbers. */
  isNumber?: boolean
  isReadOnly?: boolean
}

/** Some of some. */
export function MultiChoiceField<T>({
  form,
  at,
  label,
  choices,
  help,
  isNumber = false,
  isReadOnly = false,
}: Props<T>) {
  const t = useTranslator(componentTexts)
  const value = readPointerValue(form.value, at)
  return (
    <MultiSelect
      maw={560}
      label={label}
      description={help}
      error={form.faultAt(at)}
      readOnly={isReadOnly}
      data={[...choices]}
      searchable
      nothingFoundMessage={t('nothingFound')}
      clearable
      comboboxProps={{ shadow: 'none' }}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => form.set(at, isNumber ? next.map(Number) : next)}
    />
  )
}
