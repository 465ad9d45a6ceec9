import type { HostContext } from '../../../host/context.ts'
import type { PreparedWrite, RefusedWrites, WriteCaller } from '../../../host/write-types.ts'
import { applyWrites, prepareWrites } from '../../../host/writes.ts'
import type { Answers, NodeRequest, StepTransaction } from '../performers.ts'
import { StepFailure } from '../step.ts'
import { isTransient } from './transient.ts'

type WritesNode = NodeRequest<'writes'>

/** Whose writes a node's are. */
function callerOf({ draft: { run }, visit }: WritesNode, now: number): WriteCaller {
  const { account, workflow, contact, stamp } = visit
  return {
    ...{ account, workflow, contact, stamp, now },
    origin: { type: 'workflow', id: workflow },
    depth: run.depth + 1,
  }
}

function failureOf({ call, name, problem }: RefusedWrites): StepFailure {
  const details = { isTransient: isTransient(problem) }
  return new StepFailure('write', `Call ${call}, ${name}: ${problem.detail}`, details)
}

/** Applies what scripts of nodes have written: all that one has, or nothing. */
export function createWrites(host: HostContext) {
  return {
    /** Makes contents of messages and the like. */
    prepare: (requests: readonly WritesNode[], now: number): Answers =>
      Promise.all(requests.map((one) => prepareWrites(host, callerOf(one, now), one.asked.answer.writes))),

    /** Answers with what the script gave, without its writes. */
    async perform({ tx, now, events }: StepTransaction, requests: readonly WritesNode[]): Answers {
      const answers: (unknown | StepFailure)[] = []
      for (const request of requests) {
        const { answer, prepared } = request.asked
        const applied = await applyWrites(tx, host, callerOf(request, now), prepared as readonly PreparedWrite[])
        if (applied.type === 'applied') events.push(...applied.events)
        // What nodes read of the contact from now on is what was written.
        request.draft.contact = undefined
        answers.push(applied.type === 'applied' ? { ...answer, writes: [] } : failureOf(applied))
      }
      return answers
    },
  }
}
