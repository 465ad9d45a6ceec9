import { MultiSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../text/catalogue.ts'
import { partTexts } from '../texts.ts'
import type { Choice } from './fields.tsx'
import { valueAt } from './pointers.ts'
import type { Form } from './use-form.ts'

interface Props<T> {
  form: Form<T>
  at: string
  label: string
  choices: readonly Choice[]
  help?: ReactNode
  /** The document holds numbers. */
  isNumber?: boolean
  isReadOnly?: boolean
}

/** Some of some. */
export function ManyField<T>({ form, at, label, choices, help, isNumber = false, isReadOnly = false }: Props<T>) {
  const t = useText(partTexts)
  const value = valueAt(form.value, at)
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
