import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import { findPublishFault } from '../../script-host/writes/publishing.ts'
import { type NodeSteps, StepFailure } from '../nodes/node-contract.ts'

export const publishSteps: NodeSteps<{ event: DefinitionExpression; data: DefinitionExpression | null }> = {
  enter(visit) {
    const { event, data: dataExpression } = visit.settings
    const name = visit.value(event)
    const data = (dataExpression && visit.value(dataExpression)) ?? {}
    const fault = findPublishFault(name, data)
    if (fault) throw new StepFailure(fault.type, fault.message)
    return { type: 'ask', ask: { kind: 'publish', name: name as string, data: data as Record<string, unknown> } }
  },
  answered: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
}
