import { useState } from 'react'
import { useText } from '../../text/catalogue.ts'
import { valueAt } from '../form/pointers.ts'
import type { Edited } from '../form/use-form.ts'
import { CodeEditor } from './CodeEditor.tsx'
import { jsonText, readJson } from './json.ts'
import { codeTexts } from './texts.ts'

interface TextProps {
  label: string
  isLabelHidden?: boolean
  help?: string
  value: unknown
  onChange(value: unknown): void
  error?: string | undefined
  readOnly?: boolean
  minHeight?: number
  maxHeight?: number
  /** What an empty text is: null, or no value at all. */
  empty?: null | undefined
}

/** A value as JSON: what is no JSON is kept here while it is typed, and says so. */
export function JsonText({ value, onChange, error, minHeight = 72, maxHeight = 320, ...props }: TextProps) {
  const t = useText(codeTexts)
  const { empty, ...rest } = { empty: null, ...props }
  const [typed, setTyped] = useState<string | null>(null)
  const found = typed === null ? undefined : readJson(typed, empty)
  const isHeld = typed !== null && (!found || JSON.stringify(found.value ?? null) === JSON.stringify(value ?? null))
  return (
    <CodeEditor
      {...rest}
      language="json"
      minHeight={minHeight}
      maxHeight={maxHeight}
      value={isHeld ? typed : jsonText(value)}
      error={isHeld && !found ? t('notJson') : error}
      onChange={(text) => {
        setTyped(text)
        const next = readJson(text, empty)
        if (next) onChange(next.value)
      }}
    />
  )
}

/** A member of a form's document as JSON. */
export function JsonField<T>({
  form,
  at,
  ...rest
}: Omit<TextProps, 'value' | 'onChange'> & { form: Edited<T>; at: string }) {
  return (
    <JsonText
      error={form.faultAt(at)}
      {...rest}
      value={valueAt(form.value, at)}
      onChange={(value) => form.set(at, value)}
    />
  )
}
