import { type CustomEvent, publishCustomEvents } from '../../notices/custom.ts'
import { MAX_WORKFLOW_DEPTH } from '../engine/run-limits.ts'
import { StepFailure } from '../nodes/node-contract.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../run-stepper/effect-handlers.ts'

/** Publishes events of runs, with their stamps; one that follows from too many others is refused. */
export async function publishRunEvents(
  { tx }: RunStepTransaction,
  requests: readonly NodeEffectRequest<'publish'>[],
): EffectAnswers {
  const isRefused = ({ draft }: NodeEffectRequest<'publish'>) => draft.run.depth + 1 > MAX_WORKFLOW_DEPTH
  await publishCustomEvents(
    tx,
    requests
      .filter((request) => !isRefused(request))
      .map(
        ({ draft: { run }, visit, asked: effect }): CustomEvent => ({
          account: run.account,
          name: effect.name,
          contact: run.contact,
          data: effect.data,
          stamp: visit.stamp,
          depth: run.depth + 1,
          workflow: run.workflow,
        }),
      ),
  )
  return requests.map((request) =>
    isRefused(request)
      ? new StepFailure('recursion', `More than ${MAX_WORKFLOW_DEPTH} workflows triggered each other.`)
      : null,
  )
}
