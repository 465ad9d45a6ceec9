import { readIntId } from '../../../lib/ids.ts'
import { isObject } from '../../../lib/objects.ts'
import { badRequest, notFound } from '../../../lib/problem.ts'
import { inTurn } from './in-turn.ts'
import type { WriteFunction } from './write-types.ts'

/** `workflows.execute(id, item)`: a run of its own id, or the one that the item names. */
export const executeWorkflow: WriteFunction = {
  apply: ({ tx, context, caller: { account, depth } }, writes) =>
    inTurn(writes, async ({ args: [given, item], answer }) => {
      const workflow = readIntId(String(given))
      if (workflow === undefined) throw notFound('workflow', String(given))
      if (item != null && !isObject(item)) throw badRequest('', 'must be an object: an item of an execution')
      const { id } = answer as { id: string }
      await context.executeWorkflow(tx, { account, workflow, item: item ?? {}, id, depth })
    }),
}
