import { useState } from 'react'
import { CodeEditor } from '../../parts/code/CodeEditor.tsx'
import { valueAt } from '../../parts/form/pointers.ts'
import type { Form } from '../../parts/form/use-form.ts'
import { useText } from '../../text/catalogue.ts'
import { scriptTexts } from './texts.ts'

/** The JSON of a text; undefined: it is none. An empty text is null. */
export function parsed(text: string): { value: unknown } | undefined {
  if (text.trim() === '') return { value: null }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const written = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

interface TextProps {
  label: string
  isLabelHidden?: boolean
  help?: string
  value: unknown
  onChange(value: unknown): void
  error?: string | undefined
  readOnly?: boolean
  minHeight?: number
}

/** A value as JSON: what is no JSON is kept here while it is typed, and says so. */
export function JsonText({ value, onChange, error, minHeight = 72, ...rest }: TextProps) {
  const t = useText(scriptTexts)
  const [typed, setTyped] = useState<string | null>(null)
  const found = typed === null ? undefined : parsed(typed)
  const isHeld = typed !== null && (!found || JSON.stringify(found.value) === JSON.stringify(value ?? null))
  return (
    <CodeEditor
      {...rest}
      language="json"
      minHeight={minHeight}
      maxHeight={320}
      value={isHeld ? typed : written(value)}
      error={isHeld && !found ? t('notJson') : error}
      onChange={(text) => {
        setTyped(text)
        const next = parsed(text)
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
}: Omit<TextProps, 'value' | 'onChange' | 'error'> & { form: Form<T>; at: string }) {
  return (
    <JsonText
      {...rest}
      value={valueAt(form.value, at)}
      error={form.faultAt(at)}
      onChange={(value) => form.set(at, value)}
    />
  )
}
