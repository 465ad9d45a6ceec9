import type { ReadyNode } from '../engine/ready-definition.ts'
import type { FinalStepPlan, NodeBehavior, RunWakeReason } from '../nodes/node-contract.ts'
import { createNodeVisit, type StepContext } from '../run-stepper/node-visit.ts'
import {
  addHappenedEvents,
  changeRunVersion,
  consumeRunEvent,
  markRunHere,
  postponeRun,
  recordWaitSearch,
  type WorkflowRunState,
} from '../run-stepper/run-state.ts'
import type { EventSearchResult, StepperRequest } from '../run-stepper/stepper-requests.ts'

/** Delay before stored events are searched again: a hit that is not classified yet may be what the run waits for. */
const OPEN_SEARCH_RETRY_MS = 1000
/** The same where an event may still be published without notifying the workflow. */
export const EARLY_SEARCH_RETRY_MS = 200

/** Returns true if the events that the run waits for have happened. */
export const hasWaitHappened = ({ run, happened }: WorkflowRunState): boolean =>
  run.needed > 0 && happened.size >= run.needed

/** Looks whether the wait of the run is over; null: it is not. */
function* findWakeReason(
  draft: WorkflowRunState,
  { now }: StepContext,
): Generator<StepperRequest, RunWakeReason | null, unknown> {
  const { run } = draft
  const isDue = run.wake !== null && run.wake.getTime() <= now
  const isOver = () => hasWaitHappened(draft)
  if (run.interrupt?.type === 'release') return { type: 'released' }
  if (!isOver() && (draft.stage === 'waitsUnsearched' || isDue) && run.needed > 0) {
    const search = (yield { kind: 'searchEvents', until: run.wake?.getTime() ?? null, isDue }) as EventSearchResult
    addHappenedEvents(draft, search.happened)
    if (!isOver() && !isDue && search.isEarly) {
      postponeRun(draft, now + EARLY_SEARCH_RETRY_MS)
      return null
    }
    recordWaitSearch(draft)
    if (!isOver() && isDue && search.isOpen) {
      postponeRun(draft, now + OPEN_SEARCH_RETRY_MS)
      return null
    }
  }
  if (isOver()) return { type: 'events', happened: draft.happened }
  return isDue ? { type: 'deadline' } : null
}

/**
 * The node as the version has it that the run goes on with: the current one, where that takes waiting runs over and has a node
 * of the same id and type.
 */
function resolveCurrentNode(draft: WorkflowRunState, waitingNode: ReadyNode, { currentOf }: StepContext): ReadyNode {
  const current = currentOf?.(draft)
  if (!current || current.version === draft.run.version || current.settings.migration !== 'atWaits') return waitingNode
  const node = current.nodes.get(waitingNode.id)
  // Who resumes it names a node of its own version.
  if (node?.type !== waitingNode.type || draft.run.interrupt?.type === 'resume') return waitingNode
  changeRunVersion(draft, current)
  return node
}

/** Ends the wait of a run when it is over, and plans where it goes from there. Null: it goes on waiting. */
export function* endNodeWait(
  draft: WorkflowRunState,
  waitingNode: ReadyNode,
  around: StepContext,
): Generator<StepperRequest, FinalStepPlan | null, unknown> {
  const wakeReason = yield* findWakeReason(draft, around)
  if (wakeReason === null) return null
  const node = resolveCurrentNode(draft, waitingNode, around)
  const behavior = node.behavior as NodeBehavior<unknown>
  if (!behavior.resumeAfterWait) throw new Error(`nodes of type ${node.type} do not wait`)
  const plan = behavior.resumeAfterWait(createNodeVisit(draft, node, around, new Map()), wakeReason)
  if (wakeReason.type === 'events') consumeRunEvent(draft, plan, wakeReason.happened)
  else markRunHere(draft)
  const { interrupt } = draft.run
  return plan.type === 'leave' && interrupt?.type === 'resume' ? { ...plan, next: interrupt.node } : plan
}
