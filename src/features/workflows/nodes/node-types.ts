import { experiment, history, ifNode, match, sample, split, switchNode } from './branches.ts'
import { updateTarget } from './contacts.ts'
import { compilableValue, firstRow, publish, request, script } from './effects.ts'
import { goal, terminal } from './ends.ts'
import type { NodeType } from './node-type.ts'
import { executeNotification, sendMail, sendPush, sendRcs, sendSms, sms } from './sends.ts'
import { conditionalSlots, multipleSlots, sleep } from './times.ts'
import { all, kill, race, wait } from './waits.ts'

const types = [
  ...[sendMail, sendSms, sms, sendPush, executeNotification, sendRcs, updateTarget, publish, request, script],
  ...[compilableValue, firstRow, sleep, wait, race, all, kill, multipleSlots, conditionalSlots],
  ...[ifNode, match, history, switchNode, split, experiment, sample, goal, terminal],
] as unknown as readonly NodeType[]

/** Every type of node, by its name. */
export const nodeTypes: ReadonlyMap<string, NodeType> = new Map(types.map((one) => [one.type, one]))
