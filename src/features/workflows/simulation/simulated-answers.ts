import { sql } from 'kysely'
import { createNamedUuid } from '../../../lib/ids.ts'
import type { ScriptFetcher } from '../../../scripting/fetch/fetcher.ts'
import { listSendStamps } from '../../script-host/writes/write-sends.ts'
import { previewExperimentBranch } from '../effects/experiment.ts'
import { requireResponseSuccess } from '../effects/request.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import {
  type EffectKind,
  type EffectRequest,
  type HttpEffect,
  type HttpEffectAnswer,
  type NodeVisit,
  StepFailure,
} from '../nodes/node-contract.ts'
import type { NodeEffectRequest } from '../run-stepper/effect-handlers.ts'
import { recordNodeSends, type WorkflowRunState } from '../run-stepper/run-state.ts'

/** Answers of servers in a simulation, by node. */
export type SimulatedResponses = Readonly<Record<string, Partial<HttpEffectAnswer>>>

/** One thing that a simulated node asks for. */
interface SimulatedRequest {
  draft: WorkflowRunState
  ask: EffectRequest
  visit: NodeVisit
}

const EMPTY_RESPONSE: HttpEffectAnswer = { status: 200, headers: {}, body: null }

const findResponse = (responses: SimulatedResponses, node: string): HttpEffectAnswer => ({
  ...EMPTY_RESPONSE,
  ...responses[node],
})

/** Answers `http.fetch` of the scripts of a node. */
function createSimulatedFetcher(responses: SimulatedResponses, node: string): ScriptFetcher {
  return {
    async fetch() {
      const { status, headers, body } = findResponse(responses, node)
      const text = typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body)
      return { status, headers: { ...headers }, body: text }
    },
  }
}

function requireAcceptedAnswer(
  answer: HttpEffectAnswer,
  effectRequest: HttpEffect,
  now: number,
): HttpEffectAnswer | StepFailure {
  try {
    requireResponseSuccess(answer, effectRequest, now)
    return answer
  } catch (error) {
    if (error instanceof StepFailure) return error
    throw error
  }
}

async function countSamples({ db }: WorkflowEngineContext, { account, workflow, node }: NodeVisit): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select taken from workflow_samples where account = ${account} and workflow = ${workflow} and node = ${node}`.execute(
    db,
  )
  return rows[0]?.taken ?? 0
}

/** The stamp of a send is noted, as waits ask for it. */
function simulateSend({ draft, visit }: SimulatedRequest): object {
  const { node, now } = visit
  const stampId = createNamedUuid('simulated send', visit.run, node, visit.visit)
  recordNodeSends(draft, node, [stampId], new Date(now).toISOString())
  return { result: { type: 'success', id: stampId }, stamp: stampId }
}

/**
 * The answer to what a simulated node asks for. What reads is done; what changes something is answered as if it had been done. What a
 * server would have answered is in `responses`.
 */
export async function answerSimulatedRequest(
  context: WorkflowEngineContext,
  simulatedRequest: SimulatedRequest,
  responses: SimulatedResponses,
): Promise<unknown> {
  const { draft, ask: effectRequest, visit } = simulatedRequest
  const { db, performers } = context
  const request = { draft, asked: effectRequest, visit } as unknown as NodeEffectRequest<EffectKind>
  const performRead = performers.reads[effectRequest.kind] as
    | ((...readArguments: unknown[]) => Promise<readonly unknown[]>)
    | undefined
  if (performRead) return (await performRead(db, [request], visit.now))[0]
  switch (effectRequest.kind) {
    case 'send':
      return simulateSend(simulatedRequest)
    case 'request':
      return requireAcceptedAnswer(findResponse(responses, visit.node), effectRequest, visit.now)
    case 'script':
      return context.shown(createSimulatedFetcher(responses, visit.node)).script(db, request as never, visit.now)
    case 'writes':
      recordNodeSends(draft, visit.node, listSendStamps(effectRequest.answer.writes), new Date(visit.now).toISOString())
      return { ...effectRequest.answer, writes: [] }
    case 'sample':
      return (await countSamples(context, visit)) + visit.visit - 1 < effectRequest.count
    case 'experiment':
      return previewExperimentBranch(db, request as never)
    case 'killWaiting':
      return 0
    case 'pipeline':
      return context.shown(createSimulatedFetcher(responses, visit.node)).pipeline(db, request as never, visit.now)
    default:
      return null
  }
}
