import { flaw } from '../../../scripting/flaws.ts'
import { defaulted, list, object, optional, required } from '../../../scripting/schemas/objects.ts'
import type { Read } from '../../../scripting/schemas/shape.ts'
import { anything, text, truth, variableName, word } from '../../../scripting/schemas/values.ts'
import { parameterTypes, readArgument } from './parameter-types.ts'

const MAX_PARAMETERS = 50

const parameter = object(
  {
    name: required(variableName),
    type: required(word(...parameterTypes)),
    required: defaulted(truth, false),
    default: optional(anything),
    description: optional(text({ most: 4000 })),
  },
  ({ type, default: value }, path, visitor) => {
    if (type === null || value === null) return
    const read = readArgument(type, value)
    if ('misfit' in read) visitor.flaw?.(flaw('type-mismatch', `${path}/default`, `The default ${read.misfit}.`))
  },
)

/** What an execution gives. Of one that can be executed, name and type are there. */
export type Parameter = Read<typeof parameter>

export const parameters = list(parameter, {
  ...{ most: MAX_PARAMETERS, member: 'name', unique: ({ name }: Parameter) => name ?? Symbol('unnamed') },
})
