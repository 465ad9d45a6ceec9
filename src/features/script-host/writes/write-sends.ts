import { families } from '../../../channels/families.ts'
import { notification } from '../../../channels/push/facts.ts'
import { rcs } from '../../../channels/rcs/facts.ts'
import { notFound, orProblem, Problem } from '../../../lib/errors/problem.ts'
import { readIntId, readUuid } from '../../../lib/ids.ts'
import { isObject } from '../../../lib/objects.ts'
import type { SourceKind } from '../../../lib/sources.ts'
import type { CollectedWrite } from '../../../scripting/sandbox/types.ts'
import { findMessages } from '../../../sending/claim/find-messages.ts'
import { requestSends } from '../../../sending/plan/request-sends.ts'
import { itemProblem } from './item-problems.ts'
import { makeSends } from './make-sends.ts'
import { type AskedSend, type MadeSend, NotificationChanged, type SendSource } from './send-sources.ts'
import { unfit } from './unfit.ts'
import { isSound, type WriteCaller, type WriteFunction, type WriteStep } from './write-types.ts'

/** What each function sends. */
const sent = {
  'actions.execute': families.action.sourceKind,
  'rcs.execute': rcs.sourceKind,
  'notifications.execute': notification.sourceKind,
} as const

const titles: Readonly<Record<SourceKind, string>> = {
  action: families.action.title,
  rcs: families.rcs.title,
  notification: notification.title,
}

/** The stamps of the sends among writes, in their order. */
export function sendsAmong(writes: readonly CollectedWrite[]): string[] {
  return writes.flatMap(({ name, answer }) => (name in sent ? [(answer as { id: string }).id] : []))
}

function sourceId(source: SourceKind, given: unknown): string | number {
  const id = source === 'action' ? given : readIntId(String(given))
  if (typeof id === 'string' || typeof id === 'number') return id
  throw notFound(titles[source], String(given))
}

/** The send that a call asks for. Thread and set are those of the caller, unless the item has others. Throws Problem. */
function askedBy(
  source: SourceKind,
  { account, origin, depth, stamp: { thread, set }, now }: WriteCaller,
  { args: [given, item], answer, prepared }: CollectedWrite & { prepared?: unknown },
): AskedSend {
  const id = sourceId(source, given)
  if (!isObject(item)) throw unfit('The item of an execution is an object.')
  const own = item['stamp'] ?? {}
  if (!isObject(own)) throw unfit('The stamp of an item is an object.')
  const members = Object.entries(own).filter(([, value]) => value !== null)
  const stamp = { id: (answer as { id: string }).id, thread, set, time: now, ...Object.fromEntries(members) }
  return { account, source, id, item, stamp, asker: { origin, depth }, prepared }
}

/** Why a send was not made; null: it was, now or under its stamp before. */
function problemOf({ stamp }: AskedSend, made: MadeSend | Problem, known: ReadonlySet<string>): Problem | null {
  if (made instanceof Problem) return made
  return made.type === 'message' || known.has(readUuid(stamp.id) ?? '') ? null : itemProblem(made.value)
}

async function send(step: WriteStep, asked: readonly AskedSend[]): Promise<(Problem | null)[]> {
  const { tx, caller, events } = step
  const made = new Map<AskedSend, MadeSend | Problem>()
  for (const own of Map.groupBy(asked, ({ id }) => id).values()) {
    const answers = await makeSends(step, own)
    for (const [index, one] of own.entries()) made.set(one, answers[index]!)
  }
  const messages = asked.flatMap((one) => {
    const own = made.get(one)!
    return 'send' in own ? [own.send] : []
  })
  const requested = await requestSends(tx, messages, new Date(caller.now), 'as given')
  events.push(...requested.events)
  const faulty = asked.flatMap((one) => ('send' in made.get(one)! ? [] : (readUuid(one.stamp.id) ?? [])))
  const known = await findMessages(tx, caller.account, faulty)
  return asked.map((one) => problemOf(one, made.get(one)!, new Set(known.keys())))
}

/** What is made for sends of one source and id before the transaction; undefined: it is made in it. */
async function prepareSends(source: SendSource, asked: readonly AskedSend[]): Promise<readonly unknown[]> {
  try {
    return await source.prepare(asked)
  } catch (error) {
    if (error instanceof NotificationChanged) return []
    throw error
  }
}

/** Sends an item of an execution: what such an item is answered with an error for is a problem. */
function sendFunction(name: keyof typeof sent): WriteFunction {
  const source = sent[name]
  return {
    async prepare({ sends }, caller, writes) {
      const asked = writes.map((write) => orProblem(() => askedBy(source, caller, write)))
      const answers = new Map<unknown, unknown>()
      for (const group of Map.groupBy(asked.filter(isSound), ({ id }) => id).values()) {
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

export const sendFunctions = Object.keys(sent).map((name) => [name, sendFunction(name as keyof typeof sent)] as const)
