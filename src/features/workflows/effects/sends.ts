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
import { type SendEffectAnswer, StepFailure } from '../nodes/node-contract.ts'
import type { EffectAnswers, NodeEffectRequest, RunStepTransaction } from '../run-stepper/effect-handlers.ts'
import { formatVisitId, type StoredRun } from '../run-stepper/run.ts'
import { recordNodeSends } from '../run-stepper/run-state.ts'
import { isTransientProblem } from './transient.ts'

type SendRequestNode = NodeEffectRequest<'send'>

/** Builds the requester of a send: the workflow. Its message holds the increments that capping counted. */
function buildRequester({ draft }: SendRequestNode): SendRequester {
  const { run } = draft
  const cappingPositions = findCappingPositions(draft)
  return {
    origin: { type: 'workflow', id: run.workflow },
    depth: run.depth + 1,
    ...(cappingPositions && { reservations: { capping: JSON.stringify(cappingPositions) } }),
  }
}

/** Builds the send that a node requests. The stamp is that of the visit; thread and set are those of the run. */
function buildRequestedSend(request: SendRequestNode, now: number): RequestedSend {
  const { source, id, item, prepared: preparedValue } = request.asked
  const { run } = request.draft
  const stamp = { id: formatVisitId(run), thread: run.thread, set: run.set, time: now }
  return { account: run.account, source, id, item, stamp, asker: buildRequester(request), prepared: preparedValue }
}

/** Answers to sends, source by source, in their order. */
async function answerBySource<T>(
  sources: ScriptSendSources,
  requestedSends: readonly RequestedSend[],
  answer: (source: ScriptSendSource, group: readonly RequestedSend[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const resultBySend = new Map<RequestedSend, T>()
  const formatSourceKey = ({ account, source, id }: RequestedSend) => JSON.stringify([account, source, id])
  for (const group of Map.groupBy(requestedSends, formatSourceKey).values()) {
    const groupResults = await answer(sources[group[0]!.source], group)
    for (const [index, requestedSend] of group.entries()) resultBySend.set(requestedSend, groupResults[index]!)
  }
  return requestedSends.map((requestedSend) => resultBySend.get(requestedSend)!)
}

function toStepFailure(problem: Problem): StepFailure {
  return new StepFailure(problem.kind, problem.detail, { isTransient: isTransientProblem(problem) })
}

/** Reads the start of the transaction, by the clock that events follow: all results of its sends are later. */
export async function readTransactionStart(tx: Db): Promise<string> {
  const { rows } = await sql<{ at: Date }>`${buildPreparedPrefix('beginning-of-sends')} select now() as at`.execute(tx)
  return rows[0]!.at.toISOString()
}

/** Why an item of an execution got no message. */
function toItemFailure(error: Extract<ComposedSend, { type: 'error' }>['value']): StepFailure {
  const failureText = 'message' in error ? error.message : `No contact matches ${JSON.stringify(error).slice(0, 500)}.`
  return new StepFailure(error.type, failureText)
}

function findRecipient(
  { contact, request }: { contact: number | null; request: SendRequest['request'] },
  composedSend: ComposedSend,
) {
  const messageContact = composedSend.type === 'message' ? composedSend.contact : null
  if (messageContact) return toFootprint(messageContact)
  if (request.subscription) return { type: 'subscription', value: request.subscription }
  return contact === null ? null : { type: 'id', value: formatContactId(contact) }
}

/** A send whose templates read the last event of its run, as its expressions do. */
function withRunEvent(send: SendRequest, { event }: Pick<StoredRun, 'event'>): SendRequest {
  if (event === null) return send
  const copies = send.copies.map((copy) => ({ ...copy, request: { ...copy.request, event } }))
  return { ...send, request: { ...send.request, event }, copies }
}

const CAPPING_REASON = 'capping'

/** Lists a send on demand as a cancelled one. A proof is omitted. */
function listCancelledSends({ account, kind, sending, stamp }: SendRequest): CancelledSend[] {
  return kind === 'message' && typeof sending !== 'number' ? [{ account, ...sending, asked: stamp.time }] : []
}

/** Builds the events that record that capping stopped a send. */
function buildCappedEvents(send: SendRequest, { asked: effect, visit }: SendRequestNode) {
  const { message, threshold, node } = effect.capped!
  const value = { type: 'workflow', message, workflow: visit.workflow, node, threshold }
  return buildCancelledSendEvents(send, { type: CAPPING_REASON, value })
}

/** Sends of many runs at once, over several sources. */
export function createSendHandler(sources: ScriptSendSources) {
  return {
    /** Compiles what nodes bring in place of contents, and finds what notifications are sent with. */
    async prepare(requests: readonly SendRequestNode[], now: number): EffectAnswers {
      const preparedRequests = requests.map((nodeRequest) => buildRequestedSend(nodeRequest, now))
      const preparations = await answerBySource(sources, preparedRequests, (source, group) => source.prepare(group))
      return preparations.map((nodeRequest) =>
        nodeRequest instanceof Problem ? toStepFailure(nodeRequest) : nodeRequest,
      )
    },

    /** Puts messages into the outbox, and records those that capping has stopped. */
    async perform(step: RunStepTransaction, requests: readonly SendRequestNode[]): EffectAnswers {
      const { tx, now } = step
      const performedRequests = requests.map((nodeRequest) => buildRequestedSend(nodeRequest, now))
      const sourceAnswers = await answerBySource(sources, performedRequests, (source, group) =>
        source.make(tx, group, now),
      )
      const composedSends = sourceAnswers.map((answer, index) =>
        'send' in answer ? { ...answer, send: withRunEvent(answer.send, requests[index]!.draft.run) } : answer,
      )
      const sends = composedSends.flatMap((nodeRequest, index) =>
        'send' in nodeRequest && !requests[index]!.asked.capped ? [nodeRequest.send] : [],
      )
      const { events } = await requestSends(tx, sends, new Date(now))
      step.events.push(...events)
      const cappedSends = composedSends.flatMap((nodeRequest, index) =>
        'send' in nodeRequest && requests[index]!.asked.capped ? [nodeRequest.send] : [],
      )
      await countCancelledSends(tx, cappedSends.flatMap(listCancelledSends), CAPPING_REASON)
      const transactionStart = await readTransactionStart(tx)
      return requests.map((request, index): SendEffectAnswer | StepFailure => {
        const nodeRequest = composedSends[index]!
        if (nodeRequest instanceof Problem) return toStepFailure(nodeRequest)
        if (nodeRequest.type === 'error') return toItemFailure(nodeRequest.value)
        const { send } = nodeRequest
        const { id } = performedRequests[index]!.stamp
        if (request.asked.capped) step.events.push(...buildCappedEvents(send, request))
        recordNodeSends(request.draft, request.visit.node, [id], transactionStart)
        return { stamp: id, result: { type: 'success', id, recipient: findRecipient(send, nodeRequest) } }
      })
    },
  }
}
