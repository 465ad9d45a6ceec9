import { resolveRcsRoute } from '../../../channels/rcs/compose/number.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { StoredRcsProfile } from '../../rcs-profiles/profiles.ts'
import type { ExecutionBatch } from '../execution/execution-items.ts'
import { type ActionItemsRequest, executeAction } from '../execution/executions.ts'
import type { ActionExecutionResult, RequestedItem } from '../execution/item-schemas.ts'
import { type ActionRef, loadAction } from '../resource/action-repository.ts'
import { decideActionTransition } from '../resource/states.ts'
import { parseRcsItems } from './items.ts'
import { requireUsableProfile } from './profile-reasons.ts'
import type { RcsExecutionItem } from './rcs-item-schemas.ts'

/** Routes of messages by the contacts' values of a field, as their executions record them. */
function createRouteResolver(
  { id: profile, agent, country }: StoredRcsProfile,
  field: number,
): ExecutionBatch['routeOf'] {
  return ({ fields }) => resolveRcsRoute(String(fields[String(field)] ?? ''), { country, agent, profile })
}

/**
 * Reads items of an RCS action, and the way they go. Throws 404, 400, and conflict for the state, or a profile that nothing is
 * sent with.
 */
export async function readRcsExecution(
  db: Db,
  ref: ActionRef,
  { items, isList }: { items: readonly RcsExecutionItem[]; isList: boolean },
): Promise<ActionItemsRequest<RequestedItem>> {
  const action = await loadAction(db, ref)
  decideActionTransition('read', action)
  const parsedItems = parseRcsItems(items, action.settings, isList)
  decideActionTransition('execute', action)
  const profile = await requireUsableProfile(db, action)
  return {
    items: parsedItems,
    isList,
    channel: undefined,
    routeOf: profile && createRouteResolver(profile, action.settings.field),
  }
}

/**
 * Sends an RCS action's message to each contact named, as executeAction does. Throws 404, 400, and conflict for the
 * state, the type, an override, or a profile that nothing is sent with; then nothing is sent.
 */
export async function executeRcsAction(
  context: Pick<ServiceContext, 'db' | 'clock' | 'renders' | 'config'>,
  ref: ActionRef,
  rcsRequest: { items: readonly RcsExecutionItem[]; isList: boolean },
): Promise<ActionExecutionResult[]> {
  return executeAction(context, ref, await readRcsExecution(context.db, ref, rcsRequest))
}
