import { actionFamilies } from '../../../channels/action-families.ts'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { rcsChannelTraits } from '../../../channels/rcs/traits.ts'
import { catchProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { parseInt32Id, parseUuid } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import type { SentSourceKind } from '../../../lib/sources.ts'
import type { CollectedScriptWrite } from '../../../scripting/sandbox/types.ts'
import { findMessages } from '../../../sending/claim/find-messages.ts'
import { requestSends } from '../../../sending/plan/request-sends.ts'
import { toItemProblem } from './item-problems.ts'
import { composeScriptSends } from './make-sends.ts'
import {
  type ComposedSend,
  NotificationChangedError,
  type RequestedSend,
  type ScriptSendSource,
} from './send-sources.ts'
import { createArgumentProblem } from './unfit.ts'
import { isNotProblem, type ScriptWriteCaller, type ScriptWriteFunction, type ScriptWriteStep } from './write-types.ts'

/** Source kind that each function sends. */
const sourceByFunction = {
  'actions.execute': actionFamilies.action.sourceKind,
  'rcs.execute': rcsChannelTraits.sourceKind,
  'notifications.execute': pushChannelTraits.sourceKind,
} as const

const sourceTitles: Readonly<Record<SentSourceKind, string>> = {
  action: actionFamilies.action.title,
  rcs: actionFamilies.rcs.title,
  notification: pushChannelTraits.title,
}

/** The stamps of the sends among writes, in their order. */
export function listSendStamps(writes: readonly CollectedScriptWrite[]): string[] {
  return writes.flatMap(({ name, answer }) => (name in sourceByFunction ? [(answer as { id: string }).id] : []))
}

function requireSourceId(source: SentSourceKind, rawId: unknown): string | number {
  const id = source === 'action' ? rawId : parseInt32Id(String(rawId))
  if (typeof id === 'string' || typeof id === 'number') return id
  throw notFoundProblem(sourceTitles[source], String(rawId))
}

/** The send that a call asks for. Thread and set are those of the caller, unless the item has others. Throws Problem. */
function buildRequestedSend(
  source: SentSourceKind,
  { account, origin, depth, stamp: { thread, set: setId }, now }: ScriptWriteCaller,
  { args: [rawSourceId, item], answer, prepared }: CollectedScriptWrite & { prepared?: unknown },
): RequestedSend {
  const id = requireSourceId(source, rawSourceId)
  if (!isJsonObject(item)) throw createArgumentProblem('The item of an execution must be an object.')
  const callStamp = item['stamp'] ?? {}
  if (!isJsonObject(callStamp)) throw createArgumentProblem('The stamp of an item must be an object.')
  const stampEntries = Object.entries(callStamp).filter(([, value]) => value !== null)
  const stamp = {
    id: (answer as { id: string }).id,
    thread,
    set: setId,
    time: now,
    ...Object.fromEntries(stampEntries),
  }
  return { account, source, id, item, stamp, asker: { origin, depth }, prepared }
}

/** Why a send was not made; null: it was, now or under its stamp before. */
function findSendProblem(
  { stamp }: RequestedSend,
  composedSend: ComposedSend | Problem,
  storedStampIds: ReadonlySet<string>,
): Problem | null {
  if (composedSend instanceof Problem) return composedSend
  return composedSend.type === 'message' || storedStampIds.has(parseUuid(stamp.id) ?? '')
    ? null
    : toItemProblem(composedSend.value)
}

async function requestScriptSends(
  step: ScriptWriteStep,
  requestedSends: readonly RequestedSend[],
): Promise<(Problem | null)[]> {
  const { tx, caller, events } = step
  const composedSends = new Map<RequestedSend, ComposedSend | Problem>()
  for (const sendGroup of Map.groupBy(requestedSends, ({ id }) => id).values()) {
    const answers = await composeScriptSends(step, sendGroup)
    for (const [index, requestedSend] of sendGroup.entries()) composedSends.set(requestedSend, answers[index]!)
  }
  const messages = requestedSends.flatMap((requestedSend) => {
    const sendGroup = composedSends.get(requestedSend)!
    return 'send' in sendGroup ? [sendGroup.send] : []
  })
  const requested = await requestSends(tx, messages, new Date(caller.now), 'as given')
  events.push(...requested.events)
  const faultyStampIds = requestedSends.flatMap((requestedSend) =>
    'send' in composedSends.get(requestedSend)! ? [] : (parseUuid(requestedSend.stamp.id) ?? []),
  )
  const storedMessageIds = await findMessages(tx, caller.account, faultyStampIds)
  return requestedSends.map((requestedSend) =>
    findSendProblem(requestedSend, composedSends.get(requestedSend)!, new Set(storedMessageIds.keys())),
  )
}

/** Prepares the sends of one source and id before the transaction. A result of `undefined` is prepared in the transaction. */
async function prepareSendGroup(
  source: ScriptSendSource,
  groupedSends: readonly RequestedSend[],
): Promise<readonly unknown[]> {
  try {
    return await source.prepare(groupedSends)
  } catch (error) {
    if (error instanceof NotificationChangedError) return []
    throw error
  }
}

/** Sends an item of an execution: what such an item is answered with an error for is a problem. */
function createSendFunction(name: keyof typeof sourceByFunction): ScriptWriteFunction {
  const source = sourceByFunction[name]
  return {
    async prepare({ sends }, caller, writes) {
      const parsedSends = writes.map((write) => catchProblem(() => buildRequestedSend(source, caller, write)))
      const preparedValues = new Map<unknown, unknown>()
      for (const sourceGroup of Map.groupBy(parsedSends.filter(isNotProblem), ({ id }) => id).values()) {
        const prepared = await prepareSendGroup(sends[source], sourceGroup)
        for (const [index, writeCall] of sourceGroup.entries()) preparedValues.set(writeCall, prepared[index])
      }
      return parsedSends.map((writeCall) => (writeCall instanceof Problem ? writeCall : preparedValues.get(writeCall)))
    },
    apply: (step, writes) =>
      requestScriptSends(
        step,
        writes.map((write) => buildRequestedSend(source, step.caller, write)),
      ),
  }
}

export const sendWriteFunctions = Object.keys(sourceByFunction).map(
  (name) => [name, createSendFunction(name as keyof typeof sourceByFunction)] as const,
)
