import type { Db } from '../../../database/connection/connect.ts'
import { badRequestProblem, conflictProblem } from '../../../lib/errors/problem.ts'
import type { ScriptWorkflowExecution } from '../../script-host/context.ts'
import { parseScriptItem } from '../../script-host/reads/read-item.ts'
import { toItemProblem } from '../../script-host/writes/item-problems.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import { requireEventSizes } from './execution-items.ts'
import { WorkflowExecutionItem } from './execution-schemas.ts'
import { executeItemsInTx } from './start-executions.ts'

/**
 * Starts a run for a script, or has an open one go on, in the transaction of its writes, as an execution does. Throws Problem, also
 * for what an execution answers as the item's error.
 */
export async function executeWorkflowForScript(
  engine: WorkflowEngineContext,
  tx: Db,
  { account, workflow, item: rawItem, id, depth }: ScriptWorkflowExecution,
): Promise<void> {
  const item = parseScriptItem(WorkflowExecutionItem, rawItem)
  if (item.debug != null)
    throw badRequestProblem('/debug', 'cannot be used in a script: simulations have their own operation')
  requireEventSizes([item], false)
  const request = { items: [{ item: { ...item, id }, index: 0 }], isList: false, depth }
  const [result] = await executeItemsInTx(engine, tx, { account, id: workflow }, request)
  if (result?.type === 'error') throw toItemProblem(result.value)
  // The script has gone on with the id that it was given.
  if (result?.type === 'success' && result.id !== id)
    throw conflictProblem(
      'stamp-used',
      `The stamp of the item already started the run ${result.id}. Use that ID as its "id".`,
    )
}
