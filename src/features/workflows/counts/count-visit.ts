import type { CappingVisit } from '../../capping/increments.ts'
import type { ReadyCapping, ReadyDefinition, ReadyNode } from '../engine/ready-definition.ts'
import {
  type EffectRequest,
  type FinalStepPlan,
  type NodeVisit,
  requireEffectAnswer,
  StepFailure,
  type StepPlan,
} from '../nodes/node-contract.ts'
import { buildRunScope, type StepContext } from '../run-stepper/node-visit.ts'
import { recordVisitCapping, type WorkflowRunState } from '../run-stepper/run-state.ts'

/** An entry of capping with the key that a visit counts under. */
export interface CappingEntryCount {
  capping: ReadyCapping
  key: string
}

/** Requests whether a visit may act, and counts the visit if it may. */
export interface VisitCappingRequest {
  kind: 'capping'
  node: ReadyNode
  visit: NodeVisit
  entries: readonly CappingEntryCount[]
}

/** Answer to `capping` for a node that was stopped. */
export interface CappedVisit {
  type: 'capped'
  action: 'continue' | 'end'
  message: string
  threshold: number
}

/** Answer to `capping` for a node that may act, with the positions where it was counted. */
export interface UncappedVisit {
  type: 'passed'
  places: CappingVisit | null
}

const MAX_KEY_LENGTH = 256

/** The entries that list a node: those of the current version of its workflow. */
export function listNodeCappings(
  draft: WorkflowRunState,
  node: ReadyNode,
  { currentOf }: StepContext,
): readonly ReadyCapping[] {
  return (currentOf?.(draft) ?? draft.definition).nodes.get(node.id)?.cappings ?? []
}

function toCappingKey(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') throw new StepFailure('capping key', 'The key of a capping must be a text.')
  const key = String(value)
  if (key.length > MAX_KEY_LENGTH)
    throw new StepFailure('capping key', `The key of a capping has more than ${MAX_KEY_LENGTH} characters.`)
  return key
}

/** The entries that a visit counts under: none of an empty key. */
function listCountedEntries(draft: WorkflowRunState, node: ReadyNode, around: StepContext): CappingEntryCount[] {
  const currentDefinition: ReadyDefinition = around.currentOf?.(draft) ?? draft.definition
  const scope = buildRunScope(draft, around)
  return listNodeCappings(draft, node, around).flatMap((capping) => {
    const key = toCappingKey(currentDefinition.evaluate(capping.key, scope, new Map()))
    return key === '' ? [] : [{ capping, key }]
  })
}

/** Result of counting a visit. */
export type VisitCountResult = { isCounted: boolean; capped: CappedVisit | null }

/** Counts a visit under the entries that list its node; what stopped it, if anything did. */
export function* countVisit(
  draft: WorkflowRunState,
  node: ReadyNode,
  visit: NodeVisit,
  around: StepContext,
): Generator<VisitCappingRequest, VisitCountResult, unknown> {
  const entries = listCountedEntries(draft, node, around)
  if (entries.length === 0) return { isCounted: false, capped: null }
  const answer = requireEffectAnswer(yield { kind: 'capping', node, visit, entries }) as CappedVisit | UncappedVisit
  if (answer.type === 'capped') {
    recordVisitCapping(draft)
    return { isCounted: true, capped: answer }
  }
  recordVisitCapping(draft, answer)
  return { isCounted: true, capped: null }
}

/** Finds the positions where a node was counted that the run has not left since. */
export function findCappingPositions(draft: WorkflowRunState): CappingVisit | undefined {
  return (draft.run.memo as { capping?: CappingVisit } | null)?.capping
}

/** Plans the step of a capped node. For a send, its cancellation is recorded. */
export function* planCappedVisit(
  node: ReadyNode,
  visit: NodeVisit,
  { plan, capped }: { plan: StepPlan; capped: CappedVisit },
): Generator<{ kind: 'ask'; ask: EffectRequest; visit: NodeVisit }, FinalStepPlan, unknown> {
  if (plan.type === 'ask' && plan.ask.kind === 'send')
    yield { kind: 'ask', ask: { ...plan.ask, capped: { ...capped, node: node.id } }, visit }
  const detail = { message: capped.message }
  if (capped.action === 'end') return { type: 'end', status: 'capped', outcome: null, detail }
  return { type: 'leave', next: node.next, outcome: 'capped', detail }
}
