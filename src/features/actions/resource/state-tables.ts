import type { ActionFamilyKind } from '../../../channels/action-families.ts'

/** States of an action; no other value is ever stored. */
export const actionStates = [10, 20, 30, 35, 36, 38, 40, 50, 55, 60] as const
export type ActionState = (typeof actionStates)[number]

/** Operation on an action. `validateAtOnce` is a validation that requires no test before it, `prove` sends proofs that change no state. */
export type ActionOperation =
  | 'read'
  | 'update'
  | 'delete'
  | 'duplicate'
  | 'test'
  | 'prove'
  | 'validate'
  | 'validateAtOnce'
  | 'unvalidate'
  | 'render'
  | 'execute'
  | 'pause'
  | 'resume'

/** The columns of the table, and how each is called in messages. */
export const actionPhases = {
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
export type ActionPhase = keyof typeof actionPhases

/** A next state; `judged` is 20, or 10 for an incomplete action; `same` leaves it. */
export type ActionTransition = ActionState | 'judged' | 'same'
export type ActionRefusal = 'conflict' | 'busy' | 'unknown' | 'gone'

export interface ActionStateRow {
  /** In messages: "it can be changed in state ...". */
  can: string
  /** An absent phase is a conflict. */
  in: Readonly<Partial<Record<ActionPhase, ActionTransition | ActionRefusal>>>
}

/** The rows of a family; what it lacks is no operation of it. */
type StateTable = Partial<Record<ActionOperation, ActionStateRow>>

const allowedEverywhere = {
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
const allowedWhileEditable = {
  creation: 'judged',
  created: 'judged',
  tested: 'judged',
  validated: 'judged',
  planned: 'judged',
} as const

/** State table of email and SMS actions. */
const actionTable = {
  read: { can: 'be read', in: { ...allowedEverywhere, deleted: 'unknown' } },
  update: { can: 'be changed', in: { ...allowedWhileEditable, deleted: 'unknown' } },
  delete: {
    can: 'be deleted',
    in: { ...allowedEverywhere, validating: 'conflict', sending: 'conflict', deleted: 'unknown' },
  },
  duplicate: { can: 'be duplicated', in: { ...allowedEverywhere, deleted: 'gone' } },
  test: { can: 'be tested', in: { created: 30, deleted: 'gone' } },
  validate: { can: 'be validated for production', in: { tested: 40, deleted: 'gone' } },
  validateAtOnce: { can: 'be validated for production', in: { created: 40, tested: 40, deleted: 'gone' } },
  unvalidate: { can: 'have its validation cancelled', in: { tested: 20, validated: 20, planned: 20, deleted: 'gone' } },
  render: { can: 'be rendered', in: { ...allowedEverywhere, deleted: 'unknown' } },
  execute: { can: 'be executed', in: { validated: 'same', validating: 'busy', deleted: 'unknown' } },
  pause: { can: 'be paused', in: { sending: 'same', deleted: 'unknown' } },
  resume: { can: 'be resumed', in: { paused: 'same', deleted: 'unknown' } },
} as const satisfies StateTable

const TEST_PHASES: readonly string[] = ['testing', 'tested', 'validating']

/** A row for actions that are not tested. */
function toUntestedRow(row: ActionStateRow): ActionStateRow {
  return {
    can: row.can,
    in: Object.fromEntries(Object.entries(row.in).filter(([phase]) => !TEST_PHASES.includes(phase))),
  }
}

const { read: readRow, update, delete: remove, duplicate, unvalidate, render, execute, pause, resume } = actionTable
const testedRows = { read: readRow, update, delete: remove, duplicate, unvalidate, render, execute, pause, resume }

/** State table of RCS actions, which have no tests: their states are 10, 20, 50, 55 and 60. */
const rcsTable: StateTable = {
  ...(Object.fromEntries(
    Object.entries(testedRows).map(([operation, row]) => [operation, toUntestedRow(row)]),
  ) as typeof testedRows),
  prove: { can: 'have proofs sent', in: { created: 'same', validated: 'same', planned: 'same', deleted: 'unknown' } },
  validateAtOnce: { can: 'be validated', in: { created: 50, deleted: 'gone' } },
}

/** State tables by family. Every operation checks them, with the row locked if it changes the action. */
export const actionStateTables: Readonly<Record<ActionFamilyKind, StateTable>> = { action: actionTable, rcs: rcsTable }
