import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import { countVisit, listNodeCappings, planCappedVisit, type VisitCountResult } from '../counts/count-visit.ts'
import type { ReadyNode, ScriptExpressionValue } from '../engine/ready-definition.ts'
import { MAX_CONSECUTIVE_NODES, MAX_RUN_BYTES } from '../engine/run-limits.ts'
import { goalNode } from '../nodes/end-nodes.ts'
import {
  callEffectKinds,
  type FinalStepPlan,
  type NodeBehavior,
  type NodeVisit,
  requireEffectAnswer,
  StepFailure,
  type StepPlan,
} from '../nodes/node-contract.ts'
import { EARLY_SEARCH_RETRY_MS, endNodeWait, hasWaitHappened } from '../waits/end-wait.ts'
import { applyStepFailure } from './fail-node.ts'
import { buildRunScope, createNodeVisit, type StepContext } from './node-visit.ts'
import { isOpenRun, isRunPausing } from './run.ts'
import { isRunTooLarge } from './run-size.ts'
import {
  addRunCount,
  clearNodeVisit,
  clearRunInterrupt,
  countNodeDeparture,
  endRun,
  leaveRunNode,
  moveRunToGoal,
  moveRunToHandler,
  moveRunToNode,
  pauseRun,
  postponeRun,
  setRunContact,
  startNodeRequest,
  startNodeVisit,
  traceRunNode,
  type WorkflowRunState,
} from './run-state.ts'
import type { EventSearchResult, RunSteps, StepperRequest } from './stepper-requests.ts'

const UNCOUNTED_VISIT: VisitCountResult = { isCounted: false, capped: null }

/** Reads what the expressions of the node need. */
function* prepareVisit(
  draft: WorkflowRunState,
  node: ReadyNode,
  around: StepContext,
): Generator<StepperRequest, NodeVisit, unknown> {
  const isCapped = listNodeCappings(draft, node, around).length > 0
  if ((node.usesContact || isCapped) && draft.contact === undefined)
    setRunContact(draft, (yield { kind: 'contact' }) as WorkflowRunState['contact'])
  let scripts: ReadonlyMap<DefinitionExpression, ScriptExpressionValue> = new Map()
  if (node.scripts.length > 0) {
    const scope = buildRunScope(draft, around)
    scripts = requireEffectAnswer(yield { kind: 'evaluate', expressions: node.scripts, scope }) as typeof scripts
  }
  return createNodeVisit(draft, node, around, scripts)
}

/** Prepares the effect of a node with all values that are needed before the transaction. */
function* prepareEffect(plan: StepPlan, visit: NodeVisit): Generator<StepperRequest, StepPlan, unknown> {
  if (plan.type !== 'ask' || (plan.ask.kind !== 'send' && plan.ask.kind !== 'writes')) return plan
  const prepared = requireEffectAnswer(yield { kind: 'prepare', ask: plan.ask, visit })
  return { type: 'ask', ask: { ...plan.ask, prepared } }
}

/** Asks for what the plan asks for, until it says where the run goes. */
function* resolveFinalPlan(
  draft: WorkflowRunState,
  node: ReadyNode,
  visit: NodeVisit,
  first: StepPlan,
): Generator<StepperRequest, FinalStepPlan | null, unknown> {
  const behavior = node.behavior as NodeBehavior<unknown>
  let plan: StepPlan = first
  while (plan.type === 'ask') {
    const { ask: effectRequest } = plan
    if (effectRequest.kind === 'request' && !effectRequest.repeat && draft.stage !== 'requestBegun') {
      if (draft.run.phase === 'begun') throw new StepFailure('in doubt', 'The outcome of the request is unknown.')
      yield { kind: 'begin' }
      startNodeRequest(draft)
      return null
    }
    const answer = requireEffectAnswer(yield { kind: 'ask', ask: effectRequest, visit })
    if (!behavior.resumeWithAnswer) throw new Error(`nodes of type ${node.type} take no answers`)
    plan = yield* prepareEffect(behavior.resumeWithAnswer(visit, answer), visit)
  }
  return plan as FinalStepPlan
}

/** Enters the node where the run stands, or tries it again. Null: the transaction ends first. */
function* enterNode(
  draft: WorkflowRunState,
  node: ReadyNode,
  around: StepContext,
): Generator<StepperRequest, FinalStepPlan | null, unknown> {
  const { run } = draft
  const isNew = run.phase === 'enter'
  if (isNew) startNodeVisit(draft, around.now)
  const visit = yield* prepareVisit(draft, node, around)
  const plan = yield* prepareEffect((node.behavior as NodeBehavior<unknown>).enter(visit), visit)
  // What a try before had counted was given back when it failed.
  const mustCount = isNew || run.phase === 'retry'
  const { isCounted, capped } = mustCount ? yield* countVisit(draft, node, visit, around) : UNCOUNTED_VISIT
  if (capped) return yield* planCappedVisit(node, visit, { plan, capped })
  if (isCounted && plan.type === 'ask' && callEffectKinds.has(plan.ask.kind)) {
    clearNodeVisit(draft)
    return null
  }
  return yield* resolveFinalPlan(draft, node, visit, plan)
}

/** Does what the plan of a node says. */
function applyPlan(draft: WorkflowRunState, node: ReadyNode, plan: FinalStepPlan, now: number): void {
  if (plan.type === 'leave') leaveRunNode(draft, node.type, plan, now)
  else if (plan.type === 'pause') pauseRun(draft, plan)
  else {
    const { status = 'completed', outcome, detail } = plan
    const isCapped = status === 'capped'
    traceRunNode(draft, node.type, { outcome: isCapped ? 'capped' : 'done', next: null, detail, now })
    addRunCount(draft, 'node', node.id, 'left')
    if (isCapped) addRunCount(draft, 'node', node.id, 'capped')
    endRun(draft, status, { outcome, reason: isCapped ? 'capping' : null, now })
  }
}

/** Throws where the run cannot hold what its node has come to. */
function requireFittingRun({ run }: WorkflowRunState, plan: FinalStepPlan): void {
  if (plan.type !== 'leave' || !plan.into) return
  const variables = { ...run.variables, [plan.into]: plan.value ?? null }
  if (isRunTooLarge({ ...run, variables }))
    throw new StepFailure('too large', `With "${plan.into}" the run would be larger than ${MAX_RUN_BYTES / 1024} KB.`)
}

/** Performs the node where the run stands. */
function* performNode(
  draft: WorkflowRunState,
  node: ReadyNode,
  around: StepContext,
): Generator<StepperRequest, void, unknown> {
  try {
    const plan = yield* isRunPausing(draft.run) ? endNodeWait(draft, node, around) : enterNode(draft, node, around)
    if (plan !== null) requireFittingRun(draft, plan)
    if (plan !== null) applyPlan(draft, node, plan, around.now)
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error
    applyStepFailure(draft, node, error, around.now)
  }
}

/** Applies the requests that others made to the run since it was last read. */
function applyInterrupt(draft: WorkflowRunState, { now }: StepContext): void {
  const { run, reached, definition } = draft
  const { interrupt } = run
  if (run.goal === null && reached) {
    const goal = definition.goals.find(({ id }) => id === reached.goal)
    moveRunToGoal(draft, reached, { type: goalNode.type, next: goal?.next ?? null, now })
    return
  }
  if (interrupt?.type === 'move' && definition.nodes.has(interrupt.handler)) {
    moveRunToHandler(draft, interrupt, now)
  } else if (interrupt?.type === 'resume') {
    // It leaves its wait first: `endNodeWait` takes it to the node.
    if (interrupt.leaves && isRunPausing(run) && hasWaitHappened(draft)) return
    countNodeDeparture(draft)
    moveRunToNode(draft, interrupt.node, now)
  }
  if (interrupt?.type !== 'release') clearRunInterrupt(draft)
}

/**
 * Returns true if a node can still be performed in this transaction. After an effect, no node can be performed that has another effect, or
 * that leaves the service while rows are locked.
 */
function canPerformNode(draft: WorkflowRunState, node: ReadyNode, around: StepContext): boolean {
  if (draft.stage !== 'acted') return true
  return node.isPure && node.scripts.length === 0 && listNodeCappings(draft, node, around).length === 0
}

/**
 * Walks a run along its nodes as far as one transaction goes: to an effect, a wait, its end, or 50 nodes. It yields what it
 * needs, and is the same for runs and simulations.
 */
export function* stepRun(draft: WorkflowRunState, around: StepContext): RunSteps {
  const { run } = draft
  const { now } = around
  if (run.expiresAt.getTime() <= now) {
    countNodeDeparture(draft)
    return endRun(draft, 'expired', { reason: 'maxDuration', now })
  }
  if (draft.stage === 'goalsUnsearched') {
    const { isEarly } = (yield { kind: 'searchEvents', until: null, isGoals: true }) as EventSearchResult
    if (isEarly) postponeRun(draft, now + EARLY_SEARCH_RETRY_MS)
    else if (run.phase === 'wait' || run.phase === 'retry') postponeRun(draft, now)
    return
  }
  applyInterrupt(draft, around)
  if (!isOpenRun(run)) return
  for (let n = 0; n < MAX_CONSECUTIVE_NODES; n++) {
    const { nodes, settings } = draft.definition
    const node = nodes.get(run.node)
    if (!node) return endRun(draft, 'failed', { reason: 'node missing', now })
    if (!canPerformNode(draft, node, around)) return
    if (run.phase === 'enter' && run.steps >= settings.maxNodes) {
      return endRun(draft, 'failed', { reason: 'too many nodes', now })
    }
    yield* performNode(draft, node, around)
    clearRunInterrupt(draft)
    if (!isOpenRun(run) || run.phase !== 'enter') return
  }
}
