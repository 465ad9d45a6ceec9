import { JsonField as CodeJsonField } from '../../../components/code/JsonField.tsx'
import { type FieldProps, useFault } from './node-form.ts'

const MOST_HEIGHT = 420

/** A member that is written as JSON; an empty text is no member. */
export function JsonField({ form, at, label, isReadOnly }: FieldProps) {
  return (
    <CodeJsonField
      {...{ form, at, label }}
      empty={undefined}
      maxHeight={MOST_HEIGHT}
      readOnly={isReadOnly}
      error={useFault({ form, at })}
    />
  )
}
