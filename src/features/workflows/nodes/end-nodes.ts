import { RUN_EXPRESSION_ROOTS } from '../../../scripting/expressions/expression.ts'
import { objectShape, optionalMember, requiredMember } from '../../../scripting/schemas/objects.ts'
import { textShape } from '../../../scripting/schemas/values.ts'
import { eventFilterShape } from '../definition/event-filters.ts'
import { defineNodeType } from './node-type.ts'

/** Ends the runs of a contact whose event it is, wherever they are. */
export const goalNode = defineNodeType({
  type: 'goal',
  isPure: true,
  isGoal: true,
  awaitsEvents: true,
  settings: objectShape({ event: requiredMember(eventFilterShape(RUN_EXPRESSION_ROOTS)) }),
  listEventFilters: ({ event }) => (event ? [['', event]] : []),
  // Runs have no position at a goal; one that is moved there goes on.
  enter: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
})

/** Ends a run with an outcome. */
const terminalNode = defineNodeType({
  type: 'terminal',
  isPure: true,
  settings: objectShape({ outcome: optionalMember(textShape({ most: 64 })) }),
  enter: ({ settings }) => ({ type: 'end', outcome: settings.outcome }),
})

export const endNodeTypes = [goalNode, terminalNode]
