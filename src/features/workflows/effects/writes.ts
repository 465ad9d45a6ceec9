import type { ScriptHostContext } from '../../script-host/context.ts'
import { listSendStamps } from '../../script-host/writes/write-sends.ts'
import type {
  PreparedScriptWrite,
  RefusedScriptWrites,
  ScriptWriteCaller,
} from '../../script-host/writes/write-types.ts'
import { applyScriptWrites, prepareScriptWrites, toScriptWriteError } from '../../script-host/writes/writes.ts'
import { type ScriptEffectAnswer, StepFailure } from '../nodes/node-contract.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../run-stepper/effect-handlers.ts'
import { recordNodeSends, setRunContact } from '../run-stepper/run-state.ts'
import { readTransactionStart } from './sends.ts'
import { isTransientProblem } from './transient.ts'

type WritesRequest = NodeEffectRequest<'writes'>

/** Builds the write caller of a node. */
function buildWriteCaller({ draft: { run }, visit }: WritesRequest, now: number): ScriptWriteCaller {
  const { account, workflow, contact, stamp } = visit
  return {
    account,
    workflow,
    contact,
    stamp,
    now,
    origin: { type: 'workflow', id: workflow },
    depth: run.depth + 1,
  }
}

function toStepFailure(refused: RefusedScriptWrites): StepFailure {
  const { type, message } = toScriptWriteError(refused)
  return new StepFailure(type, message, { isTransient: isTransientProblem(refused.problem) })
}

async function performWrites(
  host: ScriptHostContext,
  { tx, now, events }: RunStepTransaction,
  request: WritesRequest,
): Promise<ScriptEffectAnswer | StepFailure> {
  const { draft, visit, asked: effect } = request
  const writes = effect.prepared as readonly PreparedScriptWrite[]
  const writeResult = await applyScriptWrites(tx, host, buildWriteCaller(request, now), writes)
  if (writeResult.type === 'refused') return toStepFailure(writeResult)
  events.push(...writeResult.events)
  // What nodes read of the contact from now on is what was written.
  setRunContact(draft, undefined)
  const sendStamps = listSendStamps(writes)
  if (sendStamps.length > 0) recordNodeSends(draft, visit.node, sendStamps, await readTransactionStart(tx))
  return { ...effect.answer, writes: [] }
}

/** Applies what scripts of nodes have written: all that one has, or nothing. */
export function createScriptWriteHandler(host: ScriptHostContext) {
  return {
    /** Makes contents of messages and the like. */
    prepare: (requests: readonly WritesRequest[], now: number): EffectAnswers =>
      Promise.all(
        requests.map((writesRequest) =>
          prepareScriptWrites(host, buildWriteCaller(writesRequest, now), writesRequest.asked.answer.writes),
        ),
      ),

    /** Answers with what the script gave, without its writes. */
    async perform(step: RunStepTransaction, requests: readonly WritesRequest[]): EffectAnswers {
      const effectAnswers: (ScriptEffectAnswer | StepFailure)[] = []
      for (const request of requests) effectAnswers.push(await performWrites(host, step, request))
      return effectAnswers
    },
  }
}
