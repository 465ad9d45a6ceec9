import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { readPointerValue } from './pointers.ts'
import type { FormBinding } from './use-form.ts'

interface Props<T> {
  form: FormBinding<T>
  at: string
  label: string
  help?: ReactNode
  isReadOnly?: boolean
}

const MIDNIGHT_UTC = /T00:00:00\.000Z$/

/** A date as the interface keeps it, in UTC; one that has a time keeps it. Empty is null. */
export function DateField<T>({ form, at, label, help, isReadOnly = false }: Props<T>) {
  const value = readPointerValue(form.value, at)
  const text = typeof value === 'string' ? value : ''
  const hasTime = text !== '' && !MIDNIGHT_UTC.test(text)
  const changeDate = (next: string): void =>
    form.set(at, next === '' ? null : `${next}${hasTime ? ':00' : 'T00:00:00'}.000Z`)
  return (
    <TextInput
      maw={220}
      type={hasTime ? 'datetime-local' : 'date'}
      label={label}
      description={help}
      error={form.faultAt(at)}
      readOnly={isReadOnly}
      value={text.slice(0, hasTime ? 16 : 10)}
      onChange={(event) => changeDate(event.currentTarget.value)}
    />
  )
}
