import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  listShape,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import type { ShapeValue } from '../../../scripting/schemas/shape.ts'
import {
  anyJsonShape,
  booleanShape,
  enumShape,
  textShape,
  variableNameShape,
} from '../../../scripting/schemas/values.ts'
import { parameterTypes, parseArgument } from './parameter-types.ts'

const MAX_PARAMETERS = 50

const parameter = objectShape(
  {
    name: requiredMember(variableNameShape),
    type: requiredMember(enumShape(...parameterTypes)),
    required: defaultedMember(booleanShape, false),
    default: optionalMember(anyJsonShape),
    description: optionalMember(textShape({ most: 4000 })),
  },
  ({ type, default: value }, path, visitor) => {
    if (type === null || value === null) return
    const read = parseArgument(type, value)
    if ('misfit' in read) visitor.flaw?.(createFlaw('type-mismatch', `${path}/default`, `The default ${read.misfit}.`))
  },
)

/** What an execution gives. Of one that can be executed, name and type are there. */
export type ExecutionParameter = ShapeValue<typeof parameter>

export const parameterListShape = listShape(parameter, {
  ...{ most: MAX_PARAMETERS, member: 'name', unique: ({ name }: ExecutionParameter) => name ?? Symbol('unnamed') },
})
