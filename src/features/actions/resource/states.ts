import { getActionFamily } from '../../../channels/action-families.ts'
import {
  type ChannelActionType,
  campaignActionTypes,
  getChannelTraits,
  type SendingChannelName,
} from '../../../channels/channel-traits.ts'
import { conflictProblem, goneProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import {
  type ActionOperation,
  type ActionPhase,
  type ActionRefusal,
  type ActionState,
  type ActionStateRow,
  type ActionTransition,
  actionPhases,
  actionStateTables,
} from './state-tables.ts'

/** Status of an action: its state, subdivided where operations differ. */
export interface ActionStatus {
  id: number
  type: ChannelActionType
  state: ActionState
  paused: boolean
  deleted_at: Date | null
}

/** True if actions of the type are sent once, to segments. */
export function isCampaignType(type: ChannelActionType): boolean {
  return campaignActionTypes.includes(type)
}

/** Throws 415 when a request's media type names the other channel. */
export function requireSameChannel(
  channel: SendingChannelName,
  requestedChannel: SendingChannelName | undefined,
): void {
  if (requestedChannel === undefined || requestedChannel === channel) return
  throw new Problem(
    415,
    'unsupported-media-type',
    `The channel of the action is ${channel}: Content-Type must be ${getChannelTraits(channel).mediaType} or application/json.`,
  )
}

function resolvePhase({ type, state, paused, deleted_at }: ActionStatus): ActionPhase {
  if (deleted_at !== null) return 'deleted'
  switch (state) {
    case 10:
      return 'creation'
    case 20:
      return 'created'
    case 38:
      return 'tested'
    case 40:
      return 'validating'
    case 50:
      return isCampaignType(type) ? 'planned' : 'validated'
    case 55:
      return paused ? 'paused' : 'sending'
    case 60:
      return 'sent'
    default:
      return 'testing'
  }
}

function isRefusal(outcome: ActionTransition | ActionRefusal): outcome is ActionRefusal {
  return ['conflict', 'busy', 'unknown', 'gone'].includes(String(outcome))
}

function createRefusalProblem(operation: ActionOperation, action: ActionStatus, refusal: ActionRefusal): Problem {
  const { title, showId } = getActionFamily(action.type)
  const id = showId(action.id)
  if (refusal === 'unknown') return notFoundProblem(title, id)
  if (refusal === 'gone') return goneProblem(title, id)
  const actionLabel = `${title.slice(0, 1).toUpperCase()}${title.slice(1)} ${id}`
  if (refusal === 'busy') {
    const detail = `${actionLabel} is being validated. Try again in a second.`
    return new Problem(409, 'action-state', detail, { headers: { 'retry-after': '1' } })
  }
  const { can, in: outcomesByPhase } = getStateRow(operation, action)
  const allowedStates = Object.entries(actionPhases).flatMap(([phase, phaseLabel]) => {
    const outcome = outcomesByPhase[phase as ActionPhase] ?? 'conflict'
    return isRefusal(outcome) ? [] : [phaseLabel]
  })
  const states = [...new Set(allowedStates)].join(', ')
  return conflictProblem(
    'action-state',
    `${actionLabel} is in state ${actionPhases[resolvePhase(action)]}; it can ${can} in state ${states}.`,
  )
}

function getStateRow(operation: ActionOperation, { type }: ActionStatus): ActionStateRow {
  const row = actionStateTables[getActionFamily(type).sourceKind][operation]
  if (!row) throw new Error(`no action of type ${type} can ${operation}`)
  return row
}

/**
 * Transition that an operation causes: the next state, `judged` or `same`. Throws the refusal of the state table: conflict `action-state`,
 * 404 or 410.
 */
export function decideActionTransition(operation: ActionOperation, action: ActionStatus): ActionTransition {
  const outcome = getStateRow(operation, action).in[resolvePhase(action)] ?? 'conflict'
  if (isRefusal(outcome)) throw createRefusalProblem(operation, action, outcome)
  return outcome
}
