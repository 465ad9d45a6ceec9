import type { Db } from '../../../database/connection/connect.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import type { CappedVisit, UncappedVisit } from '../counts/count-visit.ts'
import type { EffectKind, EffectRequestTypes, NodeVisit, StepFailure } from '../nodes/node-contract.ts'
import type { StepContext } from './node-visit.ts'
import { setRunContact, type WorkflowRunState } from './run-state.ts'
import type { EventSearchResult, StepperRequest } from './stepper-requests.ts'

/** One thing asked for by one run. */
export interface RunEffectRequest<Asked> {
  draft: WorkflowRunState
  asked: Asked
}

/** Effect that a visit of a node requests. */
export interface NodeEffectRequest<Kind extends EffectKind>
  extends RunEffectRequest<{ kind: Kind } & EffectRequestTypes[Kind]> {
  visit: NodeVisit
}

/** A transaction of steps. */
export interface RunStepTransaction {
  tx: Db
  now: number
  around: StepContext
  /** Appended at its end, in one call. */
  events: NewEvent[]
}

/** The answer to each request, in their order: a failure is thrown in the step that asked. */
export type EffectAnswers = Promise<readonly (unknown | StepFailure)[]>

/**
 * Handlers of node effects, many at once. `reads` run before the transaction of the steps and may be repeated freely. `calls` leave the
 * service and take time: the run waits for them separately from the others. `effects` run in the transaction, in the order of this table.
 */
export interface EffectHandlers {
  /** Prepares an effect before the transaction. Its answer has the same form as the others. */
  prepares: { [Kind in EffectKind]?: (requests: readonly NodeEffectRequest<Kind>[], now: number) => EffectAnswers }
  reads: { [Kind in EffectKind]?: (db: Db, requests: readonly NodeEffectRequest<Kind>[], now: number) => EffectAnswers }
  calls: {
    [Kind in EffectKind]?: (db: Db, request: NodeEffectRequest<Kind>, now: number) => Promise<unknown | StepFailure>
  }
  effects: {
    [Kind in EffectKind]?: (step: RunStepTransaction, requests: readonly NodeEffectRequest<Kind>[]) => EffectAnswers
  }
  contact(db: Db, drafts: readonly WorkflowRunState[]): Promise<readonly WorkflowRunState['contact'][]>
  evaluate(requests: readonly RunEffectRequest<Extract<StepperRequest, { kind: 'evaluate' }>>[]): EffectAnswers
  capping(
    step: RunStepTransaction,
    requests: readonly RunEffectRequest<Extract<StepperRequest, { kind: 'capping' }>>[],
  ): Promise<readonly (CappedVisit | UncappedVisit | StepFailure)[]>
  /** Takes increments of nodes back that have failed. */
  giveBack(step: RunStepTransaction, drafts: readonly WorkflowRunState[]): Promise<void>
  searchEvents(
    step: RunStepTransaction,
    requests: readonly RunEffectRequest<Extract<StepperRequest, { kind: 'searchEvents' }>>[],
  ): Promise<readonly EventSearchResult[]>
}

/** Loads the contacts of runs that do not have one yet. */
export async function loadRunContacts(
  db: Db,
  { contact }: Pick<EffectHandlers, 'contact'>,
  drafts: readonly WorkflowRunState[],
): Promise<void> {
  const unreadStates = drafts.filter((runState) => runState.contact === undefined)
  const values = await contact(db, unreadStates)
  for (const [index, runState] of unreadStates.entries()) setRunContact(runState, values[index] ?? null)
}
