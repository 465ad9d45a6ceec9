import { notification } from '../../../channels/push/facts.ts'
import { conflict, Problem } from '../../../lib/errors/problem.ts'
import type { SourceKind } from '../../../lib/sources.ts'
import { type AskedSend, type MadeSend, NotificationChanged, openSendSources } from './send-sources.ts'
import { isSound, type WriteStep } from './write-types.ts'

const changed = (): Problem =>
  conflict('notification-state', 'The notification is being changed by other requests: try again.')

/** Contacts of notifications were looked for before the transaction: the script may have made one of them. */
const isSought = (source: SourceKind, made: MadeSend | Problem): boolean =>
  source === notification.sourceKind && isSound(made) && made.type === 'error' && made.value.type.endsWith('not found')

/** Makes messages of what was made ready before the transaction; null: it is to be made ready anew. */
async function makeReady(
  { tx, context, caller }: WriteStep,
  asked: readonly AskedSend[],
): Promise<(MadeSend | Problem | null)[]> {
  const { source } = asked[0]!
  const isReady = ({ prepared }: AskedSend) => source !== notification.sourceKind || prepared !== undefined
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

/** Makes messages of sends of one source and id, in their order. */
export async function makeSends(step: WriteStep, asked: readonly AskedSend[]): Promise<(MadeSend | Problem)[]> {
  const made = await makeReady(step, asked)
  const stale = asked.filter((_, index) => made[index] === null)
  const anew = (stale.length === 0 ? [] : await makeAnew(step, stale)).values()
  return made.map((one) => one ?? anew.next().value!)
}
