import { useState } from 'react'
import { CodeEditor } from '../../../parts/code/CodeEditor.tsx'
import { valueAt } from '../../../parts/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import { type FieldProps, useFault } from './node-form.ts'
import { fieldTexts } from './texts.ts'

const jsonOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: text.trim() === '' ? undefined : JSON.parse(text) }
  } catch {
    return null
  }
}

/** A member that is written as JSON; what cannot be read yet is not taken. */
export function JsonField({ form, at, label, isReadOnly }: FieldProps) {
  const t = useText(fieldTexts)
  const stored = jsonOf(valueAt(form.value, at))
  const [typed, setTyped] = useState(stored)
  const fault = useFault({ form, at })
  const read = parsed(typed)
  const isStale = read !== null && jsonOf(read.value) !== stored
  return (
    <CodeEditor
      language="json"
      label={label}
      minHeight={72}
      maxHeight={420}
      value={isStale ? stored : typed}
      readOnly={isReadOnly}
      error={read ? fault : t('noJson')}
      onChange={(text) => {
        setTyped(text)
        const next = parsed(text)
        if (next) form.set(at, next.value)
      }}
    />
  )
}
