import { experimentNode, historyNode, ifNode, matchNode, sampleNode, splitNode, switchNode } from './branches.ts'
import { updateTargetNode } from './contacts.ts'
import { firstRowNode, pipelineNode, publishNode, requestNode, scriptNode } from './effects.ts'
import { goalNode, terminalNode } from './ends.ts'
import type { NodeTypeDefinition } from './node-type.ts'
import { notificationNode, sendMailNode, sendPushNode, sendRcsNode, sendSmsNode, smsTextNode } from './sends.ts'
import { conditionalSlotsNode, multipleSlotsNode, sleepNode } from './times.ts'
import { waitAllNode, waitKillNode, waitNode, waitRaceNode } from './waits.ts'

const nodeTypes = [
  ...[
    sendMailNode,
    sendSmsNode,
    smsTextNode,
    sendPushNode,
    notificationNode,
    sendRcsNode,
    updateTargetNode,
    publishNode,
    requestNode,
    scriptNode,
  ],
  ...[
    pipelineNode,
    firstRowNode,
    sleepNode,
    waitNode,
    waitRaceNode,
    waitAllNode,
    waitKillNode,
    multipleSlotsNode,
    conditionalSlotsNode,
  ],
  ...[ifNode, matchNode, historyNode, switchNode, splitNode, experimentNode, sampleNode, goalNode, terminalNode],
] as unknown as readonly NodeTypeDefinition[]

/** Every type of node, by its name. */
export const workflowNodeTypes: ReadonlyMap<string, NodeTypeDefinition> = new Map(
  nodeTypes.map((nodeType) => [nodeType.type, nodeType]),
)
