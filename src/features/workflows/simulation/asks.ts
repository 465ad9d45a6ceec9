import { sql } from 'kysely'
import { namedUuid } from '../../../lib/ids.ts'
import type { Fetcher } from '../../../scripting/fetch/fetcher.ts'
import { sendsAmong } from '../../script-host/writes/write-sends.ts'
import { previewBranch } from '../effects/experiment.ts'
import { requireSuccess } from '../effects/request.ts'
import type { EngineContext } from '../engine/context.ts'
import { keepSends } from '../engine/sends-of-runs.ts'
import type { NodeRequest } from '../stepping/effect-handlers.ts'
import type { Draft } from '../stepping/run-state.ts'
import {
  type Ask,
  type AskKind,
  type RequestAnswer,
  type RequestAsk,
  StepFailure,
  type Visit,
} from '../stepping/step.ts'

/** What servers answer in a simulation, by node. */
export type Responses = Readonly<Record<string, Partial<RequestAnswer>>>

/** One thing that a simulated node asks for. */
interface Asked {
  draft: Draft
  ask: Ask
  visit: Visit
}

const NOTHING: RequestAnswer = { status: 200, headers: {}, body: null }

const responseOf = (responses: Responses, node: string): RequestAnswer => ({ ...NOTHING, ...responses[node] })

/** Answers `http.fetch` of the scripts of a node. */
function fetcherOf(responses: Responses, node: string): Fetcher {
  return {
    async fetch() {
      const { status, headers, body } = responseOf(responses, node)
      const text = typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body)
      return { status, headers: { ...headers }, body: text }
    },
  }
}

function accepted(answer: RequestAnswer, ask: RequestAsk, now: number): RequestAnswer | StepFailure {
  try {
    requireSuccess(answer, ask, now)
    return answer
  } catch (error) {
    if (error instanceof StepFailure) return error
    throw error
  }
}

async function samplesTaken({ db }: EngineContext, { account, workflow, node }: Visit): Promise<number> {
  const { rows } = await sql<{ taken: number }>`
    select taken from workflow_samples where account = ${account} and workflow = ${workflow} and node = ${node}`.execute(
    db,
  )
  return rows[0]?.taken ?? 0
}

/** The stamp of a send is noted, as waits ask for it. */
function sent({ draft, visit }: Asked): object {
  const { node, now } = visit
  const stamp = namedUuid('simulated send', visit.run, node, visit.visit)
  keepSends(draft, node, [stamp], new Date(now).toISOString())
  return { result: { type: 'success', id: stamp }, stamp }
}

/**
 * The answer to what a simulated node asks for. What reads is done; what changes something is answered as if it had been done. What a
 * server would have answered is in `responses`.
 */
export async function answerAsk(context: EngineContext, asked: Asked, responses: Responses): Promise<unknown> {
  const { draft, ask, visit } = asked
  const { db, performers } = context
  const request = { draft, asked: ask, visit } as unknown as NodeRequest<AskKind>
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
      keepSends(draft, visit.node, sendsAmong(ask.answer.writes), new Date(visit.now).toISOString())
      return { ...ask.answer, writes: [] }
    case 'sample':
      return (await samplesTaken(context, visit)) + visit.visit - 1 < ask.count
    case 'experiment':
      return previewBranch(db, request as never)
    case 'killWaiting':
      return 0
    case 'pipeline':
      return context.shown(fetcherOf(responses, visit.node)).pipeline(db, request as never, visit.now)
    default:
      return null
  }
}
