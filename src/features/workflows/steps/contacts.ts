import type { updateTargetNode } from '../nodes/contacts.ts'
import { type NodeSteps, StepFailure } from '../nodes/node-contract.ts'
import type { NodeSettingsOf } from '../nodes/node-type.ts'

export const updateTargetSteps: NodeSteps<NodeSettingsOf<typeof updateTargetNode>> = {
  enter(visit) {
    const { fields, segments } = visit.settings
    if (visit.contact === null) throw new StepFailure('no receiver', 'The run has no contact.')
    const values = Object.entries(fields ?? {}).map(([field, value]) => [field, visit.value(value)] as const)
    return {
      type: 'ask',
      ask: {
        kind: 'updateTarget',
        fields: Object.fromEntries(values),
        add: segments?.add ?? [],
        remove: segments?.remove ?? [],
      },
    }
  },
  answered: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
}
