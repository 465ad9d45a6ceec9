import type { Db } from '../../../database/connection/connect.ts'
import type { NewEvent } from '../../events/record/new-event.ts'
import type { Capped, Passed } from '../counts/count-visit.ts'
import type { Draft } from './run-state.ts'
import type { AskKind, Asks, StepFailure, Visit } from './step.ts'
import type { Looked, Wanted } from './step-run.ts'
import type { Surroundings } from './visits.ts'

/** One thing asked for by one run. */
export interface Request<Asked> {
  draft: Draft
  asked: Asked
}

/** What a visit of a node asks for. */
export interface NodeRequest<Kind extends AskKind> extends Request<{ kind: Kind } & Asks[Kind]> {
  visit: Visit
}

/** A transaction of steps. */
export interface StepTransaction {
  tx: Db
  now: number
  around: Surroundings
  /** Appended at its end, in one call. */
  events: NewEvent[]
}

/** The answer to each request, in their order: a failure is thrown in the step that asked. */
export type Answers = Promise<readonly (unknown | StepFailure)[]>

/**
 * Who does what nodes ask for, many at once. `reads` are done before the transaction of the steps, and repeated freely;
 * `calls` leave the service and take their time: the run waits for them apart from the others; `effects` are done in the
 * transaction, in the order of this table.
 */
export interface Performers {
  /** What is made ready for an effect before the transaction, with an answer as of the others. */
  prepares: { [Kind in AskKind]?: (requests: readonly NodeRequest<Kind>[], now: number) => Answers }
  reads: { [Kind in AskKind]?: (db: Db, requests: readonly NodeRequest<Kind>[], now: number) => Answers }
  calls: { [Kind in AskKind]?: (db: Db, request: NodeRequest<Kind>, now: number) => Promise<unknown | StepFailure> }
  effects: { [Kind in AskKind]?: (step: StepTransaction, requests: readonly NodeRequest<Kind>[]) => Answers }
  contact(db: Db, drafts: readonly Draft[]): Promise<readonly Draft['contact'][]>
  evaluate(requests: readonly Request<Extract<Wanted, { kind: 'evaluate' }>>[]): Answers
  capping(
    step: StepTransaction,
    requests: readonly Request<Extract<Wanted, { kind: 'capping' }>>[],
  ): Promise<readonly (Capped | Passed | StepFailure)[]>
  /** Takes increments of nodes back that have failed. */
  giveBack(step: StepTransaction, drafts: readonly Draft[]): Promise<void>
  look(
    step: StepTransaction,
    requests: readonly Request<Extract<Wanted, { kind: 'look' }>>[],
  ): Promise<readonly Looked[]>
}

/** Reads the contacts of drafts that have not read theirs. */
export async function loadContacts(
  db: Db,
  { contact }: Pick<Performers, 'contact'>,
  drafts: readonly Draft[],
): Promise<void> {
  const without = drafts.filter((draft) => draft.contact === undefined)
  const values = await contact(db, without)
  for (const [index, draft] of without.entries()) draft.contact = values[index] ?? null
}
