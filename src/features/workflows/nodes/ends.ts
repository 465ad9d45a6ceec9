import { RUN_ROOTS } from '../../../scripting/expressions/expression.ts'
import { object, optional, required } from '../../../scripting/schemas/objects.ts'
import { text } from '../../../scripting/schemas/values.ts'
import { eventFilter } from '../definition/event-filters.ts'
import { nodeType } from './node-type.ts'

/** Ends a run with an outcome. */
export const terminal = nodeType('terminal', object({ outcome: optional(text({ most: 64 })) }), { family: 'ends' })

/** Ends the runs of a contact whose event it is, wherever they are. */
export const goal = nodeType('goal', object({ event: required(eventFilter(RUN_ROOTS)) }), {
  ...{ family: 'ends', isAside: true },
})
