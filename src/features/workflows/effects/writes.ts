import type { ScriptHostContext } from '../../script-host/context.ts'
import { listSendStamps } from '../../script-host/writes/write-sends.ts'
import type {
  PreparedScriptWrite,
  RefusedScriptWrites,
  ScriptWriteCaller,
} from '../../script-host/writes/write-types.ts'
import { applyScriptWrites, prepareScriptWrites, toScriptWriteError } from '../../script-host/writes/writes.ts'
import { recordNodeSends } from '../engine/sends-of-runs.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../stepping/effect-handlers.ts'
import { type ScriptEffectAnswer, StepFailure } from '../stepping/step.ts'
import { readTransactionStart } from './sends.ts'
import { isTransientProblem } from './transient.ts'

type WritesNode = NodeEffectRequest<'writes'>

/** Whose writes a node's are. */
function callerOf({ draft: { run }, visit }: WritesNode, now: number): ScriptWriteCaller {
  const { account, workflow, contact, stamp } = visit
  return {
    ...{ account, workflow, contact, stamp, now },
    origin: { type: 'workflow', id: workflow },
    depth: run.depth + 1,
  }
}

function failureOf(refused: RefusedScriptWrites): StepFailure {
  const { type, message } = toScriptWriteError(refused)
  return new StepFailure(type, message, { isTransient: isTransientProblem(refused.problem) })
}

async function perform(
  host: ScriptHostContext,
  { tx, now, events }: RunStepTransaction,
  request: WritesNode,
): Promise<ScriptEffectAnswer | StepFailure> {
  const { draft, visit, asked } = request
  const writes = asked.prepared as readonly PreparedScriptWrite[]
  const applied = await applyScriptWrites(tx, host, callerOf(request, now), writes)
  if (applied.type === 'refused') return failureOf(applied)
  events.push(...applied.events)
  // What nodes read of the contact from now on is what was written.
  draft.contact = undefined
  const stamps = listSendStamps(writes)
  if (stamps.length > 0) recordNodeSends(draft, visit.node, stamps, await readTransactionStart(tx))
  return { ...asked.answer, writes: [] }
}

/** Applies what scripts of nodes have written: all that one has, or nothing. */
export function createScriptWriteHandler(host: ScriptHostContext) {
  return {
    /** Makes contents of messages and the like. */
    prepare: (requests: readonly WritesNode[], now: number): EffectAnswers =>
      Promise.all(requests.map((one) => prepareScriptWrites(host, callerOf(one, now), one.asked.answer.writes))),

    /** Answers with what the script gave, without its writes. */
    async perform(step: RunStepTransaction, requests: readonly WritesNode[]): EffectAnswers {
      const answers: (ScriptEffectAnswer | StepFailure)[] = []
      for (const request of requests) answers.push(await perform(host, step, request))
      return answers
    },
  }
}
