import { FormJsonField } from '../../../components/code/FormJsonField.tsx'
import { type NodeFieldProps, useNodeFieldFault } from './node-form.ts'

const MAX_HEIGHT_PX = 420

/** A member that is written as JSON; an empty text is no member. */
export function WorkflowJsonField({ form, at, label, isReadOnly }: NodeFieldProps) {
  return (
    <FormJsonField
      form={form}
      at={at}
      label={label}
      empty={undefined}
      maxHeight={MAX_HEIGHT_PX}
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
    />
  )
}
