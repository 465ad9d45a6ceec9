import type { goalNode, terminalNode } from '../nodes/ends.ts'
import type { NodeSteps } from '../nodes/node-contract.ts'
import type { NodeSettingsOf } from '../nodes/node-type.ts'

export const terminalSteps: NodeSteps<NodeSettingsOf<typeof terminalNode>> = {
  enter: ({ settings }) => ({ type: 'end', outcome: settings.outcome }),
}

/** Runs have no position at a goal; one that is moved there goes on. */
export const goalSteps: NodeSteps<NodeSettingsOf<typeof goalNode>> = {
  enter: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
}
