import type { Db } from '../../../database/connection/connect.ts'
import { badRequest, conflict } from '../../../lib/errors/problem.ts'
import type { WorkflowExecution } from '../../script-host/context.ts'
import { readItem } from '../../script-host/reads/read-item.ts'
import { itemProblem } from '../../script-host/writes/item-problems.ts'
import type { EngineContext } from '../engine/context.ts'
import { refuseLargeEvents } from './execution-items.ts'
import { ExecutionItem } from './execution-schemas.ts'
import { executeIn } from './start-executions.ts'

/**
 * Starts a run for a script, or has an open one go on, in the transaction of its writes, as an execution does. Throws Problem, also
 * for what an execution answers as the item's error.
 */
export async function executeForScript(
  engine: EngineContext,
  tx: Db,
  { account, workflow, item: given, id, depth }: WorkflowExecution,
): Promise<void> {
  const item = readItem(ExecutionItem, given)
  if (item.debug != null) throw badRequest('/debug', 'cannot be used in a script: simulations have a path of their own')
  refuseLargeEvents([item], false)
  const request = { items: [{ item: { ...item, id }, index: 0 }], isList: false, depth }
  const [result] = await executeIn(engine, tx, { account, id: workflow }, request)
  if (result?.type === 'error') throw itemProblem(result.value)
  // The script has gone on with the id that it was given.
  if (result?.type === 'success' && result.id !== id)
    throw conflict('stamp-used', `The stamp of the item started the run ${result.id}: name that as its "id".`)
}
