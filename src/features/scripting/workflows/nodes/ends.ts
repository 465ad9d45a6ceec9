import { RUN_ROOTS } from '../../expressions/expression.ts'
import { object, optional, required } from '../../shapes/objects.ts'
import { text } from '../../shapes/values.ts'
import { eventFilter } from '../event-filters.ts'
import { nodeType } from './node-type.ts'

/** Ends a run with an outcome. */
export const terminal = nodeType('terminal', object({ outcome: optional(text({ most: 64 })) }), { family: 'ends' })

/** Ends the runs of a contact whose event it is, wherever they are. */
export const goal = nodeType('goal', object({ event: required(eventFilter(RUN_ROOTS)) }), {
  ...{ family: 'ends', isAside: true },
})
