import { actionFamilies } from '../../../channels/families.ts'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import { rcsChannelTraits } from '../../../channels/rcs/facts.ts'
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

/** What each function sends. */
const sent = {
  'actions.execute': actionFamilies.action.sourceKind,
  'rcs.execute': rcsChannelTraits.sourceKind,
  'notifications.execute': pushChannelTraits.sourceKind,
} as const

const titles: Readonly<Record<SentSourceKind, string>> = {
  action: actionFamilies.action.title,
  rcs: actionFamilies.rcs.title,
  notification: pushChannelTraits.title,
}

/** The stamps of the sends among writes, in their order. */
export function listSendStamps(writes: readonly CollectedScriptWrite[]): string[] {
  return writes.flatMap(({ name, answer }) => (name in sent ? [(answer as { id: string }).id] : []))
}

function sourceId(source: SentSourceKind, given: unknown): string | number {
  const id = source === 'action' ? given : parseInt32Id(String(given))
  if (typeof id === 'string' || typeof id === 'number') return id
  throw notFoundProblem(titles[source], String(given))
}

/** The send that a call asks for. Thread and set are those of the caller, unless the item has others. Throws Problem. */
function askedBy(
  source: SentSourceKind,
  { account, origin, depth, stamp: { thread, set }, now }: ScriptWriteCaller,
  { args: [given, item], answer, prepared }: CollectedScriptWrite & { prepared?: unknown },
): RequestedSend {
  const id = sourceId(source, given)
  if (!isJsonObject(item)) throw createArgumentProblem('The item of an execution is an object.')
  const own = item['stamp'] ?? {}
  if (!isJsonObject(own)) throw createArgumentProblem('The stamp of an item is an object.')
  const members = Object.entries(own).filter(([, value]) => value !== null)
  const stamp = { id: (answer as { id: string }).id, thread, set, time: now, ...Object.fromEntries(members) }
  return { account, source, id, item, stamp, asker: { origin, depth }, prepared }
}

/** Why a send was not made; null: it was, now or under its stamp before. */
function problemOf({ stamp }: RequestedSend, made: ComposedSend | Problem, known: ReadonlySet<string>): Problem | null {
  if (made instanceof Problem) return made
  return made.type === 'message' || known.has(parseUuid(stamp.id) ?? '') ? null : toItemProblem(made.value)
}

async function send(step: ScriptWriteStep, asked: readonly RequestedSend[]): Promise<(Problem | null)[]> {
  const { tx, caller, events } = step
  const made = new Map<RequestedSend, ComposedSend | Problem>()
  for (const own of Map.groupBy(asked, ({ id }) => id).values()) {
    const answers = await composeScriptSends(step, own)
    for (const [index, one] of own.entries()) made.set(one, answers[index]!)
  }
  const messages = asked.flatMap((one) => {
    const own = made.get(one)!
    return 'send' in own ? [own.send] : []
  })
  const requested = await requestSends(tx, messages, new Date(caller.now), 'as given')
  events.push(...requested.events)
  const faulty = asked.flatMap((one) => ('send' in made.get(one)! ? [] : (parseUuid(one.stamp.id) ?? [])))
  const known = await findMessages(tx, caller.account, faulty)
  return asked.map((one) => problemOf(one, made.get(one)!, new Set(known.keys())))
}

/** What is made for sends of one source and id before the transaction; undefined: it is made in it. */
async function prepareSends(source: ScriptSendSource, asked: readonly RequestedSend[]): Promise<readonly unknown[]> {
  try {
    return await source.prepare(asked)
  } catch (error) {
    if (error instanceof NotificationChangedError) return []
    throw error
  }
}

/** Sends an item of an execution: what such an item is answered with an error for is a problem. */
function sendFunction(name: keyof typeof sent): ScriptWriteFunction {
  const source = sent[name]
  return {
    async prepare({ sends }, caller, writes) {
      const asked = writes.map((write) => catchProblem(() => askedBy(source, caller, write)))
      const answers = new Map<unknown, unknown>()
      for (const group of Map.groupBy(asked.filter(isNotProblem), ({ id }) => id).values()) {
        const prepared = await prepareSends(sends[source], group)
        for (const [index, one] of group.entries()) answers.set(one, prepared[index])
      }
      return asked.map((one) => (one instanceof Problem ? one : answers.get(one)))
    },
    apply: (step, writes) =>
      send(
        step,
        writes.map((write) => askedBy(source, step.caller, write)),
      ),
  }
}

export const sendWriteFunctions = Object.keys(sent).map(
  (name) => [name, sendFunction(name as keyof typeof sent)] as const,
)
