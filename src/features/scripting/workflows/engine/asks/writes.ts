import type { Answers, NodeRequest, StepTransaction } from '../performers.ts'
import { StepFailure } from '../step.ts'

/** Applies what scripts have written; a script whose write cannot be applied has written nothing. */
export async function applyWrites(_: StepTransaction, requests: readonly NodeRequest<'writes'>[]): Answers {
  return requests.map(({ asked: { answer } }) => {
    const [first] = answer.writes
    return first ? new StepFailure('write', `${first.name} cannot be applied.`) : { ...answer, writes: [] }
  })
}
