import type { ActionFamilyKind } from '../../../channels/families.ts'

/** The states of actions.md 3; no other value is ever written. */
export const actionStates = [10, 20, 30, 35, 36, 38, 40, 50, 55, 60] as const
export type ActionState = (typeof actionStates)[number]

/**
 * What is asked of an action. `validateAtOnce` is a validation where no test is needed before it, `prove` sends proofs that
 * change no state.
 */
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
  /** What is absent is a conflict. */
  in: Readonly<Partial<Record<ActionPhase, ActionTransition | ActionRefusal>>>
}

/** The rows of a family; what it lacks is no operation of it. */
type Table = Partial<Record<ActionOperation, ActionStateRow>>

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

/** The table of actions.md 3. */
const action = {
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
} as const satisfies Table

const ofTests: readonly string[] = ['testing', 'tested', 'validating']

/** A row for actions that are not tested. */
function untested(row: ActionStateRow): ActionStateRow {
  return { can: row.can, in: Object.fromEntries(Object.entries(row.in).filter(([phase]) => !ofTests.includes(phase))) }
}

const { read, update, delete: remove, duplicate, unvalidate, render, execute, pause, resume } = action
const tested = { read, update, delete: remove, duplicate, unvalidate, render, execute, pause, resume }

/** The table of rcs.md 4, where nothing is tested: its states are 10, 20, 50, 55 and 60. */
const rcs: Table = {
  ...(Object.fromEntries(
    Object.entries(tested).map(([operation, row]) => [operation, untested(row)]),
  ) as typeof tested),
  prove: { can: 'have proofs sent', in: { created: 'same', validated: 'same', planned: 'same', deleted: 'unknown' } },
  validateAtOnce: { can: 'be validated', in: { created: 50, deleted: 'gone' } },
}

/** What every operation asks, with the row locked where it changes it; by the family. */
export const actionStateTables: Readonly<Record<ActionFamilyKind, Table>> = { action, rcs }
