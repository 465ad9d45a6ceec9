import { findCappingPositions } from '../counts/count-visit.ts'
import type { ReadyNode } from '../engine/ready-definition.ts'
import { computeRetryTime } from '../engine/retry-time.ts'
import type { StepFailure } from '../nodes/node-contract.ts'
import { nodeRetryDefaults } from '../nodes/node-type.ts'
import {
  addRunCount,
  endRun,
  moveRunToNode,
  recordNodeFailure,
  retryRunNode,
  revertNodeCapping,
  type WorkflowRunState,
} from './run-state.ts'

/** Applies a failure to a run: a further try, the path of the failure block, or its end. */
export function applyStepFailure(draft: WorkflowRunState, node: ReadyNode, failure: StepFailure, now: number): void {
  const { run } = draft
  const failureBlock = node.failure
  const { retry } = failureBlock ?? { retry: nodeRetryDefaults }
  revertNodeCapping(draft, findCappingPositions(draft))
  if (failure.isTransient && run.attempt <= retry.attempts) {
    retryRunNode(draft, new Date(computeRetryTime(retry, run, { now, afterMs: failure.retryAfterMs })))
    return
  }
  const error = { type: failure.type, message: failure.message, node: node.id }
  const endsRun = failureBlock === null || failureBlock.mode === 'fail'
  const next = endsRun ? null : failureBlock.mode === 'goto' ? failureBlock.next : node.next
  recordNodeFailure(draft, node.type, error, { next, now })
  if (endsRun) endRun(draft, 'failed', { reason: `${failure.type}: ${failure.message}`, now })
  else {
    addRunCount(draft, 'output', node.id, next ?? '')
    moveRunToNode(draft, next, now)
  }
}
