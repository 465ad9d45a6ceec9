import { placesOf } from '../counts/count-visit.ts'
import { retryDefaults } from '../nodes/node-type.ts'
import { count, type Draft, end, goTo, traceNode } from '../stepping/run-state.ts'
import type { StepFailure } from '../stepping/step.ts'
import type { ReadyNode } from './ready-definition.ts'
import { retryAt } from './retries.ts'

/** What a failure makes of a run: a further try, the way of the failure block, or its end. */
export function fail(draft: Draft, node: ReadyNode, failure: StepFailure, now: number): void {
  const { run } = draft
  const block = node.failure
  const { retry } = block ?? { retry: retryDefaults }
  // It has not acted.
  draft.givenBack = placesOf(draft)
  run.memo = null
  if (failure.isTransient && run.attempt <= retry.attempts) {
    run.phase = 'retry'
    run.status = 'waiting'
    run.wake = new Date(retryAt(retry, run, { now, afterMs: failure.retryAfterMs }))
    run.attempt++
    run.needed = 0
    count(draft, 'node', node.id, 'retried')
    return
  }
  const error = { type: failure.type, message: failure.message, node: node.id }
  const isEnd = block === null || block.mode === 'fail'
  const next = isEnd ? null : block.mode === 'goto' ? block.next : node.next
  traceNode(draft, node.type, { outcome: 'failed', next, detail: { error }, now })
  count(draft, 'node', node.id, 'failed')
  count(draft, 'node', node.id, 'left')
  run.last = { node: node.id, outcome: 'failed', value: null, error }
  if (isEnd) end(draft, 'failed', { reason: `${failure.type}: ${failure.message}`, now })
  else {
    count(draft, 'output', node.id, next ?? '')
    goTo(draft, next, now)
  }
}
