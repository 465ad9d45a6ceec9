import { sql } from 'kysely'
import { createNamedUuid } from '../../../lib/ids.ts'
import type { ScriptFetcher } from '../../../scripting/fetch/fetcher.ts'
import { listSendStamps } from '../../script-host/writes/write-sends.ts'
import { previewExperimentBranch } from '../effects/experiment.ts'
import { requireResponseSuccess } from '../effects/request.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import { recordNodeSends } from '../engine/sends-of-runs.ts'
import type { NodeEffectRequest } from '../stepping/effect-handlers.ts'
import type { WorkflowRunState } from '../stepping/run-state.ts'
import {
  type EffectKind,
  type EffectRequest,
  type HttpEffect,
  type HttpEffectAnswer,
  type NodeVisit,
  StepFailure,
} from '../stepping/step.ts'

/** What servers answer in a simulation, by node. */
export type SimulatedResponses = Readonly<Record<string, Partial<HttpEffectAnswer>>>

/** One thing that a simulated node asks for. */
interface Asked {
  draft: WorkflowRunState
  ask: EffectRequest
  visit: NodeVisit
}

const NOTHING: HttpEffectAnswer = { status: 200, headers: {}, body: null }

const responseOf = (responses: SimulatedResponses, node: string): HttpEffectAnswer => ({
  ...NOTHING,
  ...responses[node],
})

/** Answers `http.fetch` of the scripts of a node. */
function fetcherOf(responses: SimulatedResponses, node: string): ScriptFetcher {
  return {
    async fetch() {
      const { status, headers, body } = responseOf(responses, node)
      const text = typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body)
      return { status, headers: { ...headers }, body: text }
    },
  }
}

function accepted(answer: HttpEffectAnswer, ask: HttpEffect, now: number): HttpEffectAnswer | StepFailure {
  try {
    requireResponseSuccess(answer, ask, now)
    return answer
  } catch (error) {
    if (error instanceof StepFailure) return error
    throw error
  }
}

async function samplesTaken({ db }: WorkflowEngineContext, { account, workflow, node }: NodeVisit): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select taken from workflow_samples where account = ${account} and workflow = ${workflow} and node = ${node}`.execute(
    db,
  )
  return rows[0]?.taken ?? 0
}

/** The stamp of a send is noted, as waits ask for it. */
function sent({ draft, visit }: Asked): object {
  const { node, now } = visit
  const stamp = createNamedUuid('simulated send', visit.run, node, visit.visit)
  recordNodeSends(draft, node, [stamp], new Date(now).toISOString())
  return { result: { type: 'success', id: stamp }, stamp }
}

/**
 * The answer to what a simulated node asks for. What reads is done; what changes something is answered as if it had been done. What a
 * server would have answered is in `responses`.
 */
export async function answerSimulatedRequest(
  context: WorkflowEngineContext,
  asked: Asked,
  responses: SimulatedResponses,
): Promise<unknown> {
  const { draft, ask, visit } = asked
  const { db, performers } = context
  const request = { draft, asked: ask, visit } as unknown as NodeEffectRequest<EffectKind>
  const read = performers.reads[ask.kind] as ((...given: unknown[]) => Promise<readonly unknown[]>) | undefined
  if (read) return (await read(db, [request], visit.now))[0]
  switch (ask.kind) {
    case 'send':
      return sent(asked)
    case 'request':
      return accepted(responseOf(responses, visit.node), ask, visit.now)
    case 'script':
      return context.shown(fetcherOf(responses, visit.node)).script(db, request as never, visit.now)
    case 'writes':
      recordNodeSends(draft, visit.node, listSendStamps(ask.answer.writes), new Date(visit.now).toISOString())
      return { ...ask.answer, writes: [] }
    case 'sample':
      return (await samplesTaken(context, visit)) + visit.visit - 1 < ask.count
    case 'experiment':
      return previewExperimentBranch(db, request as never)
    case 'killWaiting':
      return 0
    case 'pipeline':
      return context.shown(fetcherOf(responses, visit.node)).pipeline(db, request as never, visit.now)
    default:
      return null
  }
}
