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
  /** Value of an empty text: null, or `undefined` for no value. */
  empty?: null | undefined
  /** Faults reported by the service, by pointers into the value. */
  faults?: readonly RequestFault[]
  /** Controlled text as typed; held in the field itself when absent. */
  typed?: string | null
  onTyped?(typedText: string | null): void
}

const NO_FAULTS: readonly RequestFault[] = []

/** A value as JSON: what is no JSON is kept while it is typed, and says so. */
export function JsonTextField({ value, onChange, error, minHeight = 72, maxHeight = 320, ...props }: JsonTextProps) {
  const t = useTranslator(codeTexts)
  const { empty, faults = NO_FAULTS, typed: controlledText, onTyped, ...fieldProps } = { empty: null, ...props }
  const [localText, setLocalText] = useState<string | null>(null)
  const [typedText, keepTyped] =
    controlledText === undefined ? [localText, setLocalText] : [controlledText, onTyped ?? setLocalText]
  const parsedText = typedText === null ? undefined : parseJsonText(typedText, empty)
  const isTypedCurrent =
    typedText !== null && (!parsedText || JSON.stringify(parsedText.value ?? null) === JSON.stringify(value ?? null))
  const text = isTypedCurrent ? typedText : formatJsonText(value)
  const codeFaults = useMemo(
    () => faults.map(({ pointer, detail }) => ({ message: detail, ...locateJsonPointer(text, pointer) })),
    [faults, text],
  )
  return (
    <CodeEditor
      {...fieldProps}
      language="json"
      minHeight={minHeight}
      maxHeight={maxHeight}
      value={text}
      faults={codeFaults}
      error={isTypedCurrent && !parsedText ? t('notJson') : error}
      onChange={(enteredText) => {
        keepTyped(enteredText)
        const parsedEntry = parseJsonText(enteredText, empty)
        if (parsedEntry) onChange(parsedEntry.value)
      }}
    />
  )
}

/** A member of a form's document as JSON. */
export function FormJsonField<T>({
  form,
  at,
  ...textFieldProps
}: Omit<JsonTextProps, 'value' | 'onChange'> & { form: FormBinding<T>; at: string }) {
  return (
    <JsonTextField
      error={form.faultAt(at)}
      {...textFieldProps}
      value={readPointerValue(form.value, at)}
      onChange={(value) => form.set(at, value)}
    />
  )
}
