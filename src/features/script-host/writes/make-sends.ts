import { pushChannelTraits } from '../../../channels/push/facts.ts'
import { conflictProblem, Problem } from '../../../lib/errors/problem.ts'
import type { SentSourceKind } from '../../../lib/sources.ts'
import {
  type ComposedSend,
  NotificationChangedError,
  openScriptSendSources,
  type RequestedSend,
} from './send-sources.ts'
import { isNotProblem, type ScriptWriteStep } from './write-types.ts'

const changed = (): Problem =>
  conflictProblem('notification-state', 'The notification is being changed by other requests: try again.')

/** Contacts of notifications were looked for before the transaction: the script may have made one of them. */
const isSought = (source: SentSourceKind, made: ComposedSend | Problem): boolean =>
  source === pushChannelTraits.sourceKind &&
  isNotProblem(made) &&
  made.type === 'error' &&
  made.value.type.endsWith('not found')

/** Makes messages of what was made ready before the transaction; null: it is to be made ready anew. */
async function makeReady(
  { tx, context, caller }: ScriptWriteStep,
  asked: readonly RequestedSend[],
): Promise<(ComposedSend | Problem | null)[]> {
  const { source } = asked[0]!
  const isReady = ({ prepared }: RequestedSend) => source !== pushChannelTraits.sourceKind || prepared !== undefined
  const ready = asked.filter(isReady)
  try {
    const made = (ready.length === 0 ? [] : await context.sends[source].make(tx, ready, caller.now)).values()
    return asked.map((one) => {
      const own = isReady(one) ? made.next().value! : null
      return own === null || isSought(source, own) ? null : own
    })
  } catch (error) {
    if (error instanceof NotificationChangedError) return asked.map(() => null)
    throw error
  }
}

/** The same from the beginning, in the transaction. */
async function makeAnew(
  { tx, context, caller }: ScriptWriteStep,
  asked: readonly RequestedSend[],
): Promise<(ComposedSend | Problem)[]> {
  const source = openScriptSendSources({ ...context, db: tx })[asked[0]!.source]
  try {
    const prepared = await source.prepare(asked)
    const sound = asked.flatMap((one, index) =>
      isNotProblem(prepared[index]) ? { ...one, prepared: prepared[index] } : [],
    )
    const made = (sound.length === 0 ? [] : await source.make(tx, sound, caller.now)).values()
    return prepared.map((one) => (one instanceof Problem ? one : made.next().value!))
  } catch (error) {
    if (error instanceof NotificationChangedError) return asked.map(changed)
    throw error
  }
}

/** Makes messages of sends of one source and id, in their order. */
export async function composeScriptSends(
  step: ScriptWriteStep,
  asked: readonly RequestedSend[],
): Promise<(ComposedSend | Problem)[]> {
  const made = await makeReady(step, asked)
  const stale = asked.filter((_, index) => made[index] === null)
  const anew = (stale.length === 0 ? [] : await makeAnew(step, stale)).values()
  return made.map((one) => one ?? anew.next().value!)
}
