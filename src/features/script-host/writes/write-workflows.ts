import { notFound } from '../../../lib/errors/problem.ts'
import { readIntId } from '../../../lib/ids.ts'
import { isObject } from '../../../lib/objects.ts'
import { inTurn } from './in-turn.ts'
import { unfit } from './unfit.ts'
import type { WriteFunction } from './write-types.ts'

/** `workflows.execute(id, item)`: a run of its own id, or the one that the item names. */
export const executeWorkflow: WriteFunction = {
  apply: ({ tx, context, caller: { account, depth } }, writes) =>
    inTurn(writes, async ({ args: [given, item], answer }) => {
      const workflow = readIntId(String(given))
      if (workflow === undefined) throw notFound('workflow', String(given))
      if (item != null && !isObject(item)) throw unfit('The item of an execution is an object.')
      const { id } = answer as { id: string }
      await context.executeWorkflow(tx, { account, workflow, item: item ?? {}, id, depth })
    }),
}
