import type { Db } from '../../../database/connection/connect.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import type { CappedVisit, UncappedVisit } from '../counts/count-visit.ts'
import type { WorkflowRunState } from './run-state.ts'
import type { EffectKind, EffectRequestTypes, NodeVisit, StepFailure } from './step.ts'
import type { EventSearchResult, StepperRequest } from './step-run.ts'
import type { StepContext } from './visits.ts'

/** One thing asked for by one run. */
export interface RunEffectRequest<Asked> {
  draft: WorkflowRunState
  asked: Asked
}

/** What a visit of a node asks for. */
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
 * Who does what nodes ask for, many at once. `reads` are done before the transaction of the steps, and repeated freely;
 * `calls` leave the service and take their time: the run waits for them apart from the others; `effects` are done in the
 * transaction, in the order of this table.
 */
export interface EffectHandlers {
  /** What is made ready for an effect before the transaction, with an answer as of the others. */
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
  look(
    step: RunStepTransaction,
    requests: readonly RunEffectRequest<Extract<StepperRequest, { kind: 'look' }>>[],
  ): Promise<readonly EventSearchResult[]>
}

/** Reads the contacts of drafts that have not read theirs. */
export async function loadRunContacts(
  db: Db,
  { contact }: Pick<EffectHandlers, 'contact'>,
  drafts: readonly WorkflowRunState[],
): Promise<void> {
  const without = drafts.filter((draft) => draft.contact === undefined)
  const values = await contact(db, without)
  for (const [index, draft] of without.entries()) draft.contact = values[index] ?? null
}
