import { type ActionType, type ChannelName, campaignTypes, factsOf } from '../../../channels/facts.ts'
import { familyOf } from '../../../channels/families.ts'
import { conflict, gone, notFound, Problem } from '../../../lib/errors/problem.ts'
import {
  type Move,
  type Operation,
  type Phase,
  phases,
  type Refusal,
  type Row,
  type State,
  tables,
} from './state-tables.ts'

/** Where an action stands: its state, divided where operations differ. */
export interface Standing {
  id: number
  type: ActionType
  state: State
  paused: boolean
  deleted_at: Date | null
}

/** Whether actions of a type are sent once, to segments. */
export function isCampaign(type: ActionType): boolean {
  return campaignTypes.includes(type)
}

/** Throws 415 when a request's media type names the other channel. */
export function refuseOtherChannel(channel: ChannelName, asked: ChannelName | undefined): void {
  if (asked === undefined || asked === channel) return
  throw new Problem(
    415,
    'unsupported-media-type',
    `The action is of the channel ${channel}: Content-Type must be ${factsOf(channel).mediaType} or application/json.`,
  )
}

function phaseOf({ type, state, paused, deleted_at }: Standing): Phase {
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
      return isCampaign(type) ? 'planned' : 'validated'
    case 55:
      return paused ? 'paused' : 'sending'
    case 60:
      return 'sent'
    default:
      return 'testing'
  }
}

function isRefusal(outcome: Move | Refusal): outcome is Refusal {
  return ['conflict', 'busy', 'unknown', 'gone'].includes(String(outcome))
}

function refused(operation: Operation, action: Standing, refusal: Refusal): Problem {
  const { title, showId } = familyOf(action.type)
  const id = showId(action.id)
  if (refusal === 'unknown') return notFound(title, id)
  if (refusal === 'gone') return gone(title, id)
  const named = `${title.slice(0, 1).toUpperCase()}${title.slice(1)} ${id}`
  if (refusal === 'busy') {
    const detail = `${named} is being validated: try again in a second.`
    return new Problem(409, 'action-state', detail, { headers: { 'retry-after': '1' } })
  }
  const { can, in: columns } = rowOf(operation, action)
  const possible = Object.entries(phases).flatMap(([phase, shown]) => {
    const outcome = columns[phase as Phase] ?? 'conflict'
    return isRefusal(outcome) ? [] : [shown]
  })
  const states = [...new Set(possible)].join(', ')
  return conflict('action-state', `${named} is in state ${phases[phaseOf(action)]}; it can ${can} in state ${states}.`)
}

function rowOf(operation: Operation, { type }: Standing): Row {
  const row = tables[familyOf(type).sourceKind][operation]
  if (!row) throw new Error(`no action of type ${type} can ${operation}`)
  return row
}

/**
 * What an operation makes of an action: its next state, `judged` or `same`. Throws the table's refusal: conflict
 * `action-state`, 404 or 410.
 */
export function decide(operation: Operation, action: Standing): Move {
  const outcome = rowOf(operation, action).in[phaseOf(action)] ?? 'conflict'
  if (isRefusal(outcome)) throw refused(operation, action, outcome)
  return outcome
}
