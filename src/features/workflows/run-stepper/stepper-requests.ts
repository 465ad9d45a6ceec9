import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import type { VisitCappingRequest } from '../counts/count-visit.ts'
import type { RunExpressionScope } from '../engine/ready-definition.ts'
import type { EffectRequest, NodeVisit, RunEventRecord } from '../nodes/node-contract.ts'

/** Requests of a run's steps to the engine, in addition to those of nodes. */
export type StepperRequest =
  | { kind: 'ask'; ask: EffectRequest; visit: NodeVisit }
  | { kind: 'prepare'; ask: EffectRequest; visit: NodeVisit }
  | { kind: 'contact' }
  | { kind: 'evaluate'; expressions: readonly DefinitionExpression[]; scope: RunExpressionScope }
  | VisitCappingRequest
  | { kind: 'searchEvents'; until: number | null; isDue?: boolean; isGoals?: boolean }
  | { kind: 'begin' }

/** Answer to `searchEvents`. */
export interface EventSearchResult {
  happened: ReadonlyMap<string, RunEventRecord>
  /** A hit that is not settled yet may be what the run waits for. */
  isOpen: boolean
  /** The events that the workflow listens to have changed, and an event may still be published without notifying the workflow. */
  isEarly?: boolean
}

export type RunSteps = Generator<StepperRequest, void, unknown>
