import { type ActionType, type ChannelName, campaignTypes, factsOf } from '../../channels/facts.ts'
import { actionId } from '../../lib/ids.ts'
import { conflict, gone, notFound, Problem } from '../../lib/problem.ts'

/** The states of actions.md 3; no other value is ever written. */
export type State = 10 | 20 | 30 | 35 | 36 | 38 | 40 | 50 | 55 | 60

/** What is asked of an action. `validateAtOnce` is a validation where the account asks for no test before it. */
export type Operation =
  | 'read'
  | 'update'
  | 'delete'
  | 'duplicate'
  | 'test'
  | 'validate'
  | 'validateAtOnce'
  | 'unvalidate'
  | 'render'
  | 'execute'
  | 'pause'
  | 'resume'

/** Where an action stands: its state, divided where operations differ. */
export interface Standing {
  id: number
  type: ActionType
  state: State
  paused: boolean
  deleted_at: Date | null
}

/** The columns of the table, and how each is called in messages. */
const phases = {
  creation: '10',
  created: '20',
  testing: '30 to 36',
  tested: '38',
  validating: '40',
  validated: '50',
  planned: '50',
  sending: '55',
  paused: '55, paused',
  sent: '60',
  deleted: 'deleted',
} as const
type Phase = keyof typeof phases

/** A next state; `judged` is 20, or 10 for an incomplete action; `same` leaves it. */
type Move = State | 'judged' | 'same'
type Refusal = 'conflict' | 'busy' | 'unknown' | 'gone'

interface Row {
  /** In messages: "it can be changed in state ...". */
  can: string
  /** What is absent is a conflict. */
  in: Partial<Record<Phase, Move | Refusal>>
}

const anywhere = {
  creation: 'same',
  created: 'same',
  testing: 'same',
  tested: 'same',
  validating: 'same',
  validated: 'same',
  planned: 'same',
  sending: 'same',
  paused: 'same',
  sent: 'same',
} as const
const editable = {
  creation: 'judged',
  created: 'judged',
  tested: 'judged',
  validated: 'judged',
  planned: 'judged',
} as const

/** The table of actions.md 3: every operation asks it, with the row locked where it changes it. */
const table: Record<Operation, Row> = {
  read: { can: 'be read', in: { ...anywhere, deleted: 'unknown' } },
  update: { can: 'be changed', in: { ...editable, deleted: 'unknown' } },
  delete: { can: 'be deleted', in: { ...anywhere, validating: 'conflict', sending: 'conflict', deleted: 'unknown' } },
  duplicate: { can: 'be duplicated', in: { ...anywhere, deleted: 'gone' } },
  test: { can: 'be tested', in: { created: 30, deleted: 'gone' } },
  validate: { can: 'be validated for production', in: { tested: 40, deleted: 'gone' } },
  validateAtOnce: { can: 'be validated for production', in: { created: 40, tested: 40, deleted: 'gone' } },
  unvalidate: { can: 'be taken back', in: { tested: 20, validated: 20, planned: 20, deleted: 'gone' } },
  render: { can: 'be rendered', in: { ...anywhere, deleted: 'unknown' } },
  execute: { can: 'be executed', in: { validated: 'same', validating: 'busy', deleted: 'unknown' } },
  pause: { can: 'be paused', in: { sending: 'same', deleted: 'unknown' } },
  resume: { can: 'go on', in: { paused: 'same', deleted: 'unknown' } },
}

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
  const id = actionId(action.id)
  if (refusal === 'unknown') return notFound('action', id)
  if (refusal === 'gone') return gone('action', id)
  if (refusal === 'busy') {
    const detail = `Action ${id} is being validated: try again in a second.`
    return new Problem(409, 'action-state', detail, { headers: { 'retry-after': '1' } })
  }
  const { can, in: columns } = table[operation]
  const possible = Object.entries(phases).flatMap(([phase, shown]) => {
    const outcome = columns[phase as Phase] ?? 'conflict'
    return isRefusal(outcome) ? [] : [shown]
  })
  const states = [...new Set(possible)].join(', ')
  return conflict(
    'action-state',
    `Action ${id} is in state ${phases[phaseOf(action)]}; it can ${can} in state ${states}.`,
  )
}

/**
 * What an operation makes of an action: its next state, `judged` or `same`. Throws the table's refusal: conflict
 * `action-state`, 404 or 410.
 */
export function decide(operation: Operation, action: Standing): Move {
  const outcome = table[operation].in[phaseOf(action)] ?? 'conflict'
  if (isRefusal(outcome)) throw refused(operation, action, outcome)
  return outcome
}
