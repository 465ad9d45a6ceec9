import type { HostContext } from '../../script-host/context.ts'
import { sendsAmong } from '../../script-host/writes/write-sends.ts'
import type { PreparedWrite, RefusedWrites, WriteCaller } from '../../script-host/writes/write-types.ts'
import { applyWrites, prepareWrites, writeError } from '../../script-host/writes/writes.ts'
import { keepSends } from '../engine/sends-of-runs.ts'
import type { Answers, NodeRequest, StepTransaction } from '../stepping/effect-handlers.ts'
import { type ScriptAnswer, StepFailure } from '../stepping/step.ts'
import { beginningOf } from './sends.ts'
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

function failureOf(refused: RefusedWrites): StepFailure {
  const { type, message } = writeError(refused)
  return new StepFailure(type, message, { isTransient: isTransient(refused.problem) })
}

async function perform(
  host: HostContext,
  { tx, now, events }: StepTransaction,
  request: WritesNode,
): Promise<ScriptAnswer | StepFailure> {
  const { draft, visit, asked } = request
  const writes = asked.prepared as readonly PreparedWrite[]
  const applied = await applyWrites(tx, host, callerOf(request, now), writes)
  if (applied.type === 'refused') return failureOf(applied)
  events.push(...applied.events)
  // What nodes read of the contact from now on is what was written.
  draft.contact = undefined
  const stamps = sendsAmong(writes)
  if (stamps.length > 0) keepSends(draft, visit.node, stamps, await beginningOf(tx))
  return { ...asked.answer, writes: [] }
}

/** Applies what scripts of nodes have written: all that one has, or nothing. */
export function createWrites(host: HostContext) {
  return {
    /** Makes contents of messages and the like. */
    prepare: (requests: readonly WritesNode[], now: number): Answers =>
      Promise.all(requests.map((one) => prepareWrites(host, callerOf(one, now), one.asked.answer.writes))),

    /** Answers with what the script gave, without its writes. */
    async perform(step: StepTransaction, requests: readonly WritesNode[]): Answers {
      const answers: (ScriptAnswer | StepFailure)[] = []
      for (const request of requests) answers.push(await perform(host, step, request))
      return answers
    },
  }
}
