import { conflictProblem, Problem } from '../../../lib/errors/problem.ts'
import {
  type ComposedSend,
  NotificationChangedError,
  openScriptSendSources,
  type RequestedSend,
  type ScriptSendSource,
} from './send-sources.ts'
import { isNotProblem, type ScriptWriteStep } from './write-types.ts'

const createStateConflict = (): Problem =>
  conflictProblem('notification-state', 'The notification is being changed by other requests. Try again.')

/** Contacts that were looked for before the transaction: the script may have made one of them. */
const mustRetryLookup = ({ requiresPrepared }: ScriptSendSource, composedSend: ComposedSend | Problem): boolean =>
  requiresPrepared &&
  isNotProblem(composedSend) &&
  composedSend.type === 'error' &&
  composedSend.value.type.endsWith('not found')

/** Composes messages from values that were prepared before the transaction. A result is null if the message must be prepared again. */
async function composePreparedSends(
  { tx, context, caller }: ScriptWriteStep,
  preparedGroup: readonly RequestedSend[],
): Promise<(ComposedSend | Problem | null)[]> {
  const source = context.sends[preparedGroup[0]!.source]
  const isReady = ({ prepared }: RequestedSend) => !source.requiresPrepared || prepared !== undefined
  const preparedRequests = preparedGroup.filter(isReady)
  try {
    const composedSends = (
      preparedRequests.length === 0 ? [] : await source.make(tx, preparedRequests, caller.now)
    ).values()
    return preparedGroup.map((requestedSend) => {
      const candidateSend = isReady(requestedSend) ? composedSends.next().value! : null
      return candidateSend === null || mustRetryLookup(source, candidateSend) ? null : candidateSend
    })
  } catch (error) {
    if (error instanceof NotificationChangedError) return preparedGroup.map(() => null)
    throw error
  }
}

/** The same from the beginning, in the transaction. */
async function recomposeSends(
  { tx, context, caller }: ScriptWriteStep,
  staleGroup: readonly RequestedSend[],
): Promise<(ComposedSend | Problem)[]> {
  const source = openScriptSendSources({ ...context, db: tx })[staleGroup[0]!.source]
  try {
    const prepared = await source.prepare(staleGroup)
    const validRequests = staleGroup.flatMap((requestedSend, index) =>
      isNotProblem(prepared[index]) ? { ...requestedSend, prepared: prepared[index] } : [],
    )
    const recomposedSends = (
      validRequests.length === 0 ? [] : await source.make(tx, validRequests, caller.now)
    ).values()
    return prepared.map((requestedSend) =>
      requestedSend instanceof Problem ? requestedSend : recomposedSends.next().value!,
    )
  } catch (error) {
    if (error instanceof NotificationChangedError) return staleGroup.map(createStateConflict)
    throw error
  }
}

/** Makes messages of sends of one source and id, in their order. */
export async function composeScriptSends(
  step: ScriptWriteStep,
  requestedSends: readonly RequestedSend[],
): Promise<(ComposedSend | Problem)[]> {
  const firstResults = await composePreparedSends(step, requestedSends)
  const staleRequests = requestedSends.filter((_, index) => firstResults[index] === null)
  const secondResults = (staleRequests.length === 0 ? [] : await recomposeSends(step, staleRequests)).values()
  return firstResults.map((firstResult) => firstResult ?? secondResults.next().value!)
}
