import { RUN_EXPRESSION_ROOTS } from '../../../scripting/expressions/expression.ts'
import { objectShape, optionalMember, requiredMember } from '../../../scripting/schemas/objects.ts'
import { textShape } from '../../../scripting/schemas/values.ts'
import { eventFilterShape } from '../definition/event-filters.ts'
import { defineNodeType } from './node-type.ts'

/** Ends a run with an outcome. */
export const terminalNode = defineNodeType(
  'terminal',
  objectShape({ outcome: optionalMember(textShape({ most: 64 })) }),
  { family: 'ends' },
)

/** Ends the runs of a contact whose event it is, wherever they are. */
export const goalNode = defineNodeType(
  'goal',
  objectShape({ event: requiredMember(eventFilterShape(RUN_EXPRESSION_ROOTS)) }),
  {
    ...{ family: 'ends', isAside: true },
  },
)
