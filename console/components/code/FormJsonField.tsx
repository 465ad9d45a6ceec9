import { useMemo, useState } from 'react'
import type { RequestFault } from '../../api/refusal.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { readPointerValue } from '../form/pointers.ts'
import type { FormBinding } from '../form/use-form.ts'
import { CodeEditor } from './CodeEditor.tsx'
import { formatJsonText, parseJsonText } from './json.ts'
import { locateJsonPointer } from './json-places.ts'
import { codeTexts } from './texts.ts'

export interface JsonTextProps {
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
  /** What the service found wrong in it, by pointers into the value. */
  faults?: readonly RequestFault[]
  /** Where what is typed is kept; here when absent. */
  typed?: string | null
  onTyped?(typed: string | null): void
}

const NO_FAULTS: readonly RequestFault[] = []

/** A value as JSON: what is no JSON is kept while it is typed, and says so. */
export function JsonTextField({ value, onChange, error, minHeight = 72, maxHeight = 320, ...props }: JsonTextProps) {
  const t = useTranslator(codeTexts)
  const { empty, faults = NO_FAULTS, typed: held, onTyped, ...rest } = { empty: null, ...props }
  const [own, setOwn] = useState<string | null>(null)
  const [typed, keepTyped] = held === undefined ? [own, setOwn] : [held, onTyped ?? setOwn]
  const found = typed === null ? undefined : parseJsonText(typed, empty)
  const isHeld = typed !== null && (!found || JSON.stringify(found.value ?? null) === JSON.stringify(value ?? null))
  const text = isHeld ? typed : formatJsonText(value)
  const places = useMemo(
    () => faults.map(({ pointer, detail }) => ({ message: detail, ...locateJsonPointer(text, pointer) })),
    [faults, text],
  )
  return (
    <CodeEditor
      {...rest}
      language="json"
      minHeight={minHeight}
      maxHeight={maxHeight}
      value={text}
      faults={places}
      error={isHeld && !found ? t('notJson') : error}
      onChange={(written) => {
        keepTyped(written)
        const next = parseJsonText(written, empty)
        if (next) onChange(next.value)
      }}
    />
  )
}

/** A member of a form's document as JSON. */
export function FormJsonField<T>({
  form,
  at,
  ...rest
}: Omit<JsonTextProps, 'value' | 'onChange'> & { form: FormBinding<T>; at: string }) {
  return (
    <JsonTextField
      error={form.faultAt(at)}
      {...rest}
      value={readPointerValue(form.value, at)}
      onChange={(value) => form.set(at, value)}
    />
  )
}
