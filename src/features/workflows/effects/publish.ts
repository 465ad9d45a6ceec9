import { type CustomEvent, publishCustom } from '../../notices/custom.ts'
import { MAX_DEPTH } from '../engine/limits.ts'
import type { Answers, NodeRequest, StepTransaction } from '../stepping/effect-handlers.ts'
import { StepFailure } from '../stepping/step.ts'

/** Publishes events of runs, with their stamps; one that follows from too many others is refused. */
export async function publishEvents({ tx }: StepTransaction, requests: readonly NodeRequest<'publish'>[]): Answers {
  const isRefused = ({ draft }: NodeRequest<'publish'>) => draft.run.depth + 1 > MAX_DEPTH
  await publishCustom(
    tx,
    requests
      .filter((request) => !isRefused(request))
      .map(
        ({ draft: { run }, visit, asked }): CustomEvent => ({
          account: run.account,
          name: asked.name,
          contact: run.contact,
          data: asked.data,
          stamp: visit.stamp,
          depth: run.depth + 1,
          workflow: run.workflow,
        }),
      ),
  )
  return requests.map((request) =>
    isRefused(request)
      ? new StepFailure('recursion', `More than ${MAX_DEPTH} workflows followed from each other.`)
      : null,
  )
}
