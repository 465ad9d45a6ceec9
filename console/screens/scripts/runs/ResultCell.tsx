import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { parseJsonText } from '../../../components/code/json.ts'

/** What a cell says: JSON where it is some, else the text itself. */
const cellOf = (text: string): unknown =>
  text === '' ? '' : (parseJsonText(text, null)?.value ?? (text === 'null' ? null : text))

/** A cell as it is typed: a text that would be read as something else stands in quotes. */
const typedOf = (value: unknown): string => {
  if (value === undefined) return ''
  if (typeof value !== 'string') return JSON.stringify(value)
  return value !== '' && parseJsonText(value, null) ? JSON.stringify(value) : value
}

interface Props {
  label: string
  value: unknown
  error?: string | undefined
  isReadOnly: boolean
  onChange(value: unknown): void
}

/** A value of any kind in one field. */
export function ResultCell({ label, value, error, isReadOnly, onChange }: Props) {
  // What is typed stays as it is typed until it says something else.
  const [typed, setTyped] = useState<string | null>(null)
  const isSame = typed !== null && JSON.stringify(cellOf(typed)) === JSON.stringify(value)
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={label}
      error={error}
      readOnly={isReadOnly}
      value={isSame ? typed : typedOf(value)}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        onChange(cellOf(event.currentTarget.value))
      }}
    />
  )
}
