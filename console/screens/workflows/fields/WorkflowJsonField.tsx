import { FormJsonField as CodeJsonField } from '../../../components/code/FormJsonField.tsx'
import { type NodeFieldProps, useNodeFieldFault } from './node-form.ts'

const MOST_HEIGHT = 420

/** A member that is written as JSON; an empty text is no member. */
export function WorkflowJsonField({ form, at, label, isReadOnly }: NodeFieldProps) {
  return (
    <CodeJsonField
      {...{ form, at, label }}
      empty={undefined}
      maxHeight={MOST_HEIGHT}
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
    />
  )
}
