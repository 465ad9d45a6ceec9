import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { parseJsonText } from '../../../components/code/json.ts'

/** Parses the text of a cell: as JSON if it is valid, otherwise as plain text. */
const parseCell = (text: string): unknown =>
  text === '' ? '' : (parseJsonText(text, null)?.value ?? (text === 'null' ? null : text))

/** A cell as it is typed: a text that would be read as something else stands in quotes. */
const formatCell = (value: unknown): string => {
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
  const [typedText, setTypedText] = useState<string | null>(null)
  const isUnchanged = typedText !== null && JSON.stringify(parseCell(typedText)) === JSON.stringify(value)
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={label}
      error={error}
      readOnly={isReadOnly}
      value={isUnchanged ? typedText : formatCell(value)}
      onChange={(event) => {
        setTypedText(event.currentTarget.value)
        onChange(parseCell(event.currentTarget.value))
      }}
    />
  )
}
