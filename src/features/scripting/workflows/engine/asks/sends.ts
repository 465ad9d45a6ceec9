import { sql } from 'kysely'
import { type Db, prepared } from '../../../../../database/connect.ts'
import { contactId } from '../../../../../lib/ids.ts'
import { cancelledSend, requestSends, type SendRequest } from '../../../../../outbox/request-sends.ts'
import { footprintOf } from '../../../../contacts/find.ts'
import type { Sent } from '../../nodes/steps/sends.ts'
import type { Draft } from '../draft.ts'
import type { Answers, NodeRequest, StepTransaction } from '../performers.ts'
import { StepFailure } from '../step.ts'
import { type MadeSend, type SendSources, stampOf } from './send-sources.ts'

type SendNode = NodeRequest<'send'>

const sourceOf = ({ visit, asked }: SendNode): string => JSON.stringify([visit.account, asked.source, asked.id])

/** Answers to requests group by group, in the order of the requests. */
async function byGroup<T>(
  requests: readonly SendNode[],
  groupOf: (request: SendNode) => unknown,
  answer: (group: readonly SendNode[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const answers = new Map<SendNode, T>()
  for (const group of Map.groupBy(requests, groupOf).values()) {
    const own = await answer(group)
    for (const [index, one] of group.entries()) answers.set(one, own[index]!)
  }
  return requests.map((one) => answers.get(one)!)
}

/** When the transaction began, by the clock that events go by: what becomes of its sends is later. */
async function beginningOf(tx: Db): Promise<string> {
  const { rows } = await sql<{ at: Date }>`${prepared('beginning-of-sends')} select now() as at`.execute(tx)
  return rows[0]!.at.toISOString()
}

/** Keeps what became of a send in its run: waits ask for it. */
function keepSend({ run }: Draft, node: string, stamp: string, at: string): void {
  run.sends = { ...run.sends, [node]: stamp, '': stamp, [`at ${node}`]: at, 'at ': at }
}

/** Why an item of an execution got no message. */
function failureOf(error: Extract<MadeSend, { type: 'error' }>['value']): StepFailure {
  const words = 'message' in error ? error.message : `Nobody is found by ${JSON.stringify(error).slice(0, 500)}.`
  return new StepFailure(error.type, words)
}

function recipientOf(
  { contact, request }: { contact: number | null; request: SendRequest['request'] },
  made: MadeSend,
) {
  const found = made.type === 'message' ? made.contact : null
  if (found) return footprintOf(found)
  if (request.subscription) return { type: 'subscription', value: request.subscription }
  return contact === null ? null : { type: 'id', value: contactId(contact) }
}

/** What a send is recorded with that capping has stopped. */
function cappedEvents(send: SendRequest, { asked, visit }: SendNode) {
  const { message, threshold, node } = asked.capped!
  const value = { type: 'workflow', message, workflow: visit.workflow, node, threshold }
  return cancelledSend(send, { type: 'capping', value })
}

/** Sends of many runs at once, over several sources. */
export function createSends(sources: SendSources) {
  return {
    /** Compiles what nodes bring in place of contents, and finds what notifications are sent with. */
    prepare: (requests: readonly SendNode[]): Answers =>
      byGroup(requests, sourceOf, (group) => sources[group[0]!.asked.source].prepare(group)),

    /** Puts messages into the outbox, and records those that capping has stopped. */
    async perform(step: StepTransaction, requests: readonly SendNode[]): Answers {
      const { tx, now } = step
      const made = await byGroup(requests, sourceOf, (group) => sources[group[0]!.asked.source].make(tx, group, now))
      const sends = made.flatMap((one, index) => ('send' in one && !requests[index]!.asked.capped ? [one.send] : []))
      const { events } = await requestSends(tx, sends, new Date(now))
      step.events.push(...events)
      const at = await beginningOf(tx)
      return requests.map((request, index): Sent | StepFailure => {
        const one = made[index]!
        if (one instanceof StepFailure) return one
        if (one.type === 'error') return failureOf(one.value)
        const { send } = one
        const { id } = stampOf(request, now)
        if (request.asked.capped) step.events.push(...cappedEvents(send, request))
        keepSend(request.draft, request.visit.node, id, at)
        return { stamp: id, result: { type: 'success', id, recipient: recipientOf(send, one) } }
      })
    },
  }
}
