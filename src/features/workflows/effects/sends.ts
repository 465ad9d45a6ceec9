import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { buildCancelledSendEvents, requestSends, type SendRequest } from '../../../sending/plan/request-sends.ts'
import { type CancelledSend, countCancelledSends } from '../../../sending/record/ended-counts.ts'
import type { SendRequester } from '../../actions/execution/execution-items.ts'
import { toFootprint } from '../../contacts/records/find.ts'
import type {
  ComposedSend,
  RequestedSend,
  ScriptSendSource,
  ScriptSendSources,
} from '../../script-host/writes/send-sources.ts'
import { findCappingPositions } from '../counts/count-visit.ts'
import { recordNodeSends } from '../engine/sends-of-runs.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../stepping/effect-handlers.ts'
import { formatVisitId } from '../stepping/run.ts'
import { StepFailure } from '../stepping/step.ts'
import type { SendEffectAnswer } from '../steps/sends.ts'
import { isTransientProblem } from './transient.ts'

type SendNode = NodeEffectRequest<'send'>

/** Who asks: the workflow. Its message holds the increments that capping counted. */
function askerOf({ draft }: SendNode): SendRequester {
  const { run } = draft
  const places = findCappingPositions(draft)
  return {
    origin: { type: 'workflow', id: run.workflow },
    depth: run.depth + 1,
    ...(places && { reservations: { capping: JSON.stringify(places) } }),
  }
}

/** What a node asks for: the stamp is that of the visit, thread and set are the run's. */
function askedBy(request: SendNode, now: number): RequestedSend {
  const { source, id, item, prepared: made } = request.asked
  const { run } = request.draft
  const stamp = { id: formatVisitId(run), thread: run.thread, set: run.set, time: now }
  return { account: run.account, source, id, item, stamp, asker: askerOf(request), prepared: made }
}

/** Answers to sends, source by source, in their order. */
async function bySource<T>(
  sources: ScriptSendSources,
  asked: readonly RequestedSend[],
  answer: (source: ScriptSendSource, group: readonly RequestedSend[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const answers = new Map<RequestedSend, T>()
  const nameOf = ({ account, source, id }: RequestedSend) => JSON.stringify([account, source, id])
  for (const group of Map.groupBy(asked, nameOf).values()) {
    const own = await answer(sources[group[0]!.source], group)
    for (const [index, one] of group.entries()) answers.set(one, own[index]!)
  }
  return asked.map((one) => answers.get(one)!)
}

function failureOf(problem: Problem): StepFailure {
  return new StepFailure(problem.kind, problem.detail, { isTransient: isTransientProblem(problem) })
}

/** When the transaction began, by the clock that events go by: what becomes of its sends is later. */
export async function readTransactionStart(tx: Db): Promise<string> {
  const { rows } = await sql<{ at: Date }>`${buildPreparedPrefix('beginning-of-sends')} select now() as at`.execute(tx)
  return rows[0]!.at.toISOString()
}

/** Why an item of an execution got no message. */
function itemFailure(error: Extract<ComposedSend, { type: 'error' }>['value']): StepFailure {
  const words = 'message' in error ? error.message : `Nobody is found by ${JSON.stringify(error).slice(0, 500)}.`
  return new StepFailure(error.type, words)
}

function recipientOf(
  { contact, request }: { contact: number | null; request: SendRequest['request'] },
  made: ComposedSend,
) {
  const found = made.type === 'message' ? made.contact : null
  if (found) return toFootprint(found)
  if (request.subscription) return { type: 'subscription', value: request.subscription }
  return contact === null ? null : { type: 'id', value: formatContactId(contact) }
}

const CAPPED = 'capping'

/** A send on demand as one that is cancelled; a proof is none. */
function cancelledOf({ account, kind, sending, stamp }: SendRequest): CancelledSend[] {
  return kind === 'message' && typeof sending !== 'number' ? [{ account, ...sending, asked: stamp.time }] : []
}

/** What a send is recorded with that capping has stopped. */
function cappedEvents(send: SendRequest, { asked, visit }: SendNode) {
  const { message, threshold, node } = asked.capped!
  const value = { type: 'workflow', message, workflow: visit.workflow, node, threshold }
  return buildCancelledSendEvents(send, { type: CAPPED, value })
}

/** Sends of many runs at once, over several sources. */
export function createSendHandler(sources: ScriptSendSources) {
  return {
    /** Compiles what nodes bring in place of contents, and finds what notifications are sent with. */
    async prepare(requests: readonly SendNode[], now: number): EffectAnswers {
      const asked = requests.map((one) => askedBy(one, now))
      const answers = await bySource(sources, asked, (source, group) => source.prepare(group))
      return answers.map((one) => (one instanceof Problem ? failureOf(one) : one))
    },

    /** Puts messages into the outbox, and records those that capping has stopped. */
    async perform(step: RunStepTransaction, requests: readonly SendNode[]): EffectAnswers {
      const { tx, now } = step
      const asked = requests.map((one) => askedBy(one, now))
      const made = await bySource(sources, asked, (source, group) => source.make(tx, group, now))
      const sends = made.flatMap((one, index) => ('send' in one && !requests[index]!.asked.capped ? [one.send] : []))
      const { events } = await requestSends(tx, sends, new Date(now))
      step.events.push(...events)
      const capped = made.flatMap((one, index) => ('send' in one && requests[index]!.asked.capped ? [one.send] : []))
      await countCancelledSends(tx, capped.flatMap(cancelledOf), CAPPED)
      const at = await readTransactionStart(tx)
      return requests.map((request, index): SendEffectAnswer | StepFailure => {
        const one = made[index]!
        if (one instanceof Problem) return failureOf(one)
        if (one.type === 'error') return itemFailure(one.value)
        const { send } = one
        const { id } = asked[index]!.stamp
        if (request.asked.capped) step.events.push(...cappedEvents(send, request))
        recordNodeSends(request.draft, request.visit.node, [id], at)
        return { stamp: id, result: { type: 'success', id, recipient: recipientOf(send, one) } }
      })
    },
  }
}
