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

const parameterShape = objectShape(
  {
    name: requiredMember(variableNameShape),
    type: requiredMember(enumShape(...parameterTypes)),
    required: defaultedMember(booleanShape, false),
    default: optionalMember(anyJsonShape),
    description: optionalMember(textShape({ most: 4000 })),
  },
  ({ type, default: value }, path, visitor) => {
    if (type === null || value === null) return
    const parsedDefault = parseArgument(type, value)
    if ('misfit' in parsedDefault)
      visitor.flaw?.(createFlaw('type-mismatch', `${path}/default`, `The default ${parsedDefault.misfit}.`))
  },
)

/** Parameter of an execution. An executable compilable has the name and type of each. */
export type ExecutionParameter = ShapeValue<typeof parameterShape>

export const parameterListShape = listShape(parameterShape, {
  most: MAX_PARAMETERS,
  member: 'name',
  unique: ({ name }: ExecutionParameter) => name ?? Symbol('unnamed'),
})
