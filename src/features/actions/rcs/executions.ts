import { routeTo } from '../../../channels/rcs/compose/number.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { StoredProfile } from '../../rcs-profiles/profiles.ts'
import type { Batch } from '../execution/execution-items.ts'
import { executeAction, type ItemsRequest } from '../execution/executions.ts'
import type { AskedItem, ExecutionResult } from '../execution/item-schemas.ts'
import { type ActionRef, loadAction } from '../resource/action-repository.ts'
import { decide } from '../resource/states.ts'
import { readRcsItems } from './items.ts'
import { usableProfile } from './profile-reasons.ts'
import type { RcsExecutionItem } from './rcs-item-schemas.ts'

/** How messages go to contacts by what they have in a field, as their executions say. */
function routesBy({ id: profile, agent, country }: StoredProfile, field: number): Batch['routeOf'] {
  return ({ fields }) => routeTo(String(fields[String(field)] ?? ''), { country, agent, profile })
}

/**
 * Reads items of an RCS action, and the way they go. Throws 404, 400, and conflict for the state, or a profile that nothing is
 * sent with.
 */
export async function rcsRequest(
  db: Db,
  ref: ActionRef,
  { items, isList }: { items: readonly RcsExecutionItem[]; isList: boolean },
): Promise<ItemsRequest<AskedItem>> {
  const action = await loadAction(db, ref)
  decide('read', action)
  const asked = readRcsItems(items, action.settings, isList)
  decide('execute', action)
  const profile = await usableProfile(db, action)
  return { items: asked, isList, channel: undefined, routeOf: profile && routesBy(profile, action.settings.field) }
}

/**
 * Sends an RCS action's message to each contact named, as executeAction does. Throws 404, 400, and conflict for the
 * state, the type, an override, or a profile that nothing is sent with; then nothing is sent.
 */
export async function executeRcsAction(
  context: Pick<Context, 'db' | 'clock' | 'renders' | 'config'>,
  ref: ActionRef,
  given: { items: readonly RcsExecutionItem[]; isList: boolean },
): Promise<ExecutionResult[]> {
  return executeAction(context, ref, await rcsRequest(context.db, ref, given))
}
