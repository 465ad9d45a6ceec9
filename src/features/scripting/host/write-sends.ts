import { readIntId, readUuid } from '../../../lib/ids.ts'
import { isObject } from '../../../lib/objects.ts'
import { badRequest, conflict, notFound, Problem } from '../../../lib/problem.ts'
import type { SourceKind } from '../../../lib/sources.ts'
import { findMessages } from '../../../outbox/by-stamp.ts'
import { requestSends } from '../../../outbox/request-sends.ts'
import type { CollectedWrite } from '../sandbox/types.ts'
import { itemProblem } from './item-problems.ts'
import { type AskedSend, type MadeSend, NotificationChanged, openSendSources } from './send-sources.ts'
import { isSound, type PreparedWrite, type WriteCaller, type WriteFunction, type WriteStep } from './write-types.ts'

/** What each function sends. */
const sent = { 'actions.execute': 'action', 'rcs.execute': 'rcs', 'notifications.execute': 'notification' } as const

const titles: Readonly<Record<SourceKind, string>> = {
  action: 'action',
  rcs: 'RCS action',
  notification: 'notification',
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
  if (!isObject(item)) throw badRequest('', 'must be an object: an item of an execution')
  const own = item['stamp'] ?? {}
  if (!isObject(own)) throw badRequest('/stamp', 'must be an object')
  const members = Object.entries(own).filter(([, value]) => value !== null)
  const stamp = { id: (answer as { id: string }).id, thread, set, time: now, ...Object.fromEntries(members) }
  return { account, source, id, item, stamp, asker: { origin, depth }, prepared }
}

const changed = (): Problem =>
  conflict('notification-state', 'The notification is being changed by other requests: try again.')

/** Makes messages of what was made ready before the transaction; null: it is to be made ready anew. */
async function makeReady(
  { tx, context, caller }: WriteStep,
  asked: readonly AskedSend[],
): Promise<(MadeSend | Problem | null)[]> {
  const { source } = asked[0]!
  const isReady = ({ prepared }: AskedSend) => source !== 'notification' || prepared !== undefined
  const ready = asked.filter(isReady)
  try {
    const made = (ready.length === 0 ? [] : await context.sends[source].make(tx, ready, caller.now)).values()
    return asked.map((one) => {
      const own = isReady(one) ? made.next().value! : null
      return own === null || isSought(source, own) ? null : own
    })
  } catch (error) {
    if (error instanceof NotificationChanged) return asked.map(() => null)
    throw error
  }
}

/** Contacts of notifications were looked for before the transaction: the script may have made one of them. */
const isSought = (source: SourceKind, made: MadeSend | Problem): boolean =>
  source === 'notification' && isSound(made) && made.type === 'error' && made.value.type.endsWith('not found')

/** The same from the beginning, in the transaction. */
async function makeAnew(
  { tx, context, caller }: WriteStep,
  asked: readonly AskedSend[],
): Promise<(MadeSend | Problem)[]> {
  const source = openSendSources({ ...context, db: tx })[asked[0]!.source]
  try {
    const prepared = await source.prepare(asked)
    const sound = asked.flatMap((one, index) => (isSound(prepared[index]) ? { ...one, prepared: prepared[index] } : []))
    const made = (sound.length === 0 ? [] : await source.make(tx, sound, caller.now)).values()
    return prepared.map((one) => (one instanceof Problem ? one : made.next().value!))
  } catch (error) {
    if (error instanceof NotificationChanged) return asked.map(changed)
    throw error
  }
}

async function makeSends(step: WriteStep, asked: readonly AskedSend[]): Promise<(MadeSend | Problem)[]> {
  const made = await makeReady(step, asked)
  const stale = asked.filter((_, index) => made[index] === null)
  const anew = (stale.length === 0 ? [] : await makeAnew(step, stale)).values()
  return made.map((one) => one ?? anew.next().value!)
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

/** Sends an item of an execution: what such an item is answered with an error for is a problem. */
function sendFunction(name: keyof typeof sent): WriteFunction {
  const source = sent[name]
  return {
    async prepare({ sends }, caller, write) {
      const asked = askedBy(source, caller, write)
      try {
        const [prepared] = await sends[source].prepare([asked])
        return prepared
      } catch (error) {
        // It is made ready in the transaction.
        if (error instanceof NotificationChanged) return undefined
        throw error
      }
    },
    apply: (step, writes: readonly PreparedWrite[]) =>
      send(
        step,
        writes.map((write) => askedBy(source, step.caller, write)),
      ),
  }
}

export const sendFunctions = Object.keys(sent).map((name) => [name, sendFunction(name as keyof typeof sent)] as const)
