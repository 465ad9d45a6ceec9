import { isObject } from '../../../lib/objects.ts'
import { badRequest, notFound } from '../../../lib/problem.ts'
import { inTurn } from './in-turn.ts'
import type { WriteFunction } from './write-types.ts'

/** `workflows.execute(id, item)`: a run of its own id, or the one that the item names. */
export const executeWorkflow: WriteFunction = {
  apply: ({ tx, context, caller: { account, depth } }, writes) =>
    inTurn(writes, async ({ args: [workflow, item], answer }) => {
      if (!Number.isInteger(workflow)) throw notFound('workflow', String(workflow))
      if (item != null && !isObject(item)) throw badRequest('', 'must be an object: an item of an execution')
      const { id } = answer as { id: string }
      await context.executeWorkflow(tx, { account, workflow: workflow as number, item: item ?? {}, id, depth })
    }),
}
