import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { applyWritesInTurn } from './in-turn.ts'
import { createArgumentProblem } from './unfit.ts'
import type { ScriptWriteFunction } from './write-types.ts'

/** `workflows.execute(id, item)`: a run of its own id, or the one that the item names. */
export const executeWorkflowWrite: ScriptWriteFunction = {
  apply: ({ tx, context, caller: { account, depth } }, writes) =>
    applyWritesInTurn(writes, async ({ args: [rawWorkflowId, item], answer }) => {
      const workflow = parseInt32Id(String(rawWorkflowId))
      if (workflow === undefined) throw notFoundProblem('workflow', String(rawWorkflowId))
      if (item != null && !isJsonObject(item))
        throw createArgumentProblem('The item of an execution must be an object.')
      const { id } = answer as { id: string }
      await context.executeWorkflow(tx, { account, workflow, item: item ?? {}, id, depth })
    }),
}
