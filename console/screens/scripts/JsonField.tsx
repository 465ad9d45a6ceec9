import { useMemo, useState } from 'react'
import type { Fault } from '../../api/refusal.ts'
import { CodeEditor } from '../../parts/code/CodeEditor.tsx'
import { placeIn } from '../../parts/code/json-places.ts'
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

export interface TextProps {
  label: string
  isLabelHidden?: boolean
  help?: string
  value: unknown
  onChange(value: unknown): void
  error?: string | undefined
  readOnly?: boolean
  minHeight?: number
  /** What the service found wrong in it, by pointers into the value. */
  faults?: readonly Fault[]
  /** Where what is typed is kept; here when absent. */
  typed?: string | null
  onTyped?(typed: string | null): void
}

const NO_FAULTS: readonly Fault[] = []

/** Whether a text waits to become JSON. */
export const isBroken = (typed: string | null): boolean => typed !== null && !parsed(typed)

/** A value as JSON: what is no JSON is kept while it is typed, and says so. */
export function JsonText(props: TextProps) {
  const { value, onChange, error, minHeight = 72, faults = NO_FAULTS, typed: held, onTyped, ...rest } = props
  const t = useText(scriptTexts)
  const [own, setOwn] = useState<string | null>(null)
  const [typed, keepTyped] = held === undefined ? [own, setOwn] : [held, onTyped ?? setOwn]
  const found = typed === null ? undefined : parsed(typed)
  const isHeld = typed !== null && (!found || JSON.stringify(found.value) === JSON.stringify(value ?? null))
  const text = isHeld ? typed : written(value)
  const places = useMemo(
    () => faults.map(({ pointer, detail }) => ({ message: detail, ...placeIn(text, pointer) })),
    [faults, text],
  )
  return (
    <CodeEditor
      {...rest}
      language="json"
      minHeight={minHeight}
      maxHeight={320}
      value={text}
      faults={places}
      error={isHeld && !found ? t('notJson') : error}
      onChange={(written) => {
        keepTyped(written)
        const next = parsed(written)
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
