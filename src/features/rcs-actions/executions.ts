import { routeTo } from '../../channels/rcs/number.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connect.ts'
import type { Batch } from '../actions/execution-items.ts'
import { executeAction } from '../actions/executions.ts'
import type { ExecutionResult } from '../actions/item-schemas.ts'
import { decide } from '../actions/states.ts'
import { type ActionRef, loadAction, type StoredAction } from '../actions/stored.ts'
import { loadProfile } from '../rcs-profiles/profiles.ts'
import { readRcsItems } from './items.ts'
import { refuseUnusableProfile } from './profile-reasons.ts'
import type { RcsExecutionItem } from './rcs-item-schemas.ts'

/** How messages of an action go to contacts, as their executions say. */
async function routesOf(
  db: Db,
  { account, settings }: Pick<StoredAction, 'account' | 'settings'>,
): Promise<Batch['routeOf']> {
  if (settings.profile == null) return undefined
  const { id: profile, agent, country } = await loadProfile(db, account, settings.profile)
  return ({ fields }) => routeTo(String(fields[String(settings.field)] ?? ''), { country, agent, profile })
}

/**
 * Sends an RCS action's message to each contact named, as executeAction does. Throws 404, 400, and conflict for the
 * state, the type, an override, or a profile that nothing is sent with; then nothing is sent.
 */
export async function executeRcsAction(
  context: Pick<Context, 'db' | 'clock' | 'renders' | 'config'>,
  ref: ActionRef,
  { items, isList }: { items: readonly RcsExecutionItem[]; isList: boolean },
): Promise<ExecutionResult[]> {
  const action = await loadAction(context.db, ref)
  decide('read', action)
  const asked = readRcsItems(items, action.settings, isList)
  decide('execute', action)
  await refuseUnusableProfile(context.db, action)
  return executeAction(context, ref, {
    items: asked,
    isList,
    channel: undefined,
    routeOf: await routesOf(context.db, action),
  })
}
