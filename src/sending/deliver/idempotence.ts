import { sql } from 'kysely'
import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { getMessageSliceId, isSliceMessageId } from '../plan/message-slices.ts'
import type { SenderContext } from '../senders/sender-context.ts'

/** A message, and whether what carries it takes it once however often it is sent. */
export interface IdempotenceMark {
  message: ClaimedMessage
  isIdempotent: boolean
}

/** The slices of messages that do not say so yet: one says that it is idempotent when all of its messages are. */
function listChangedSlices(carried: readonly IdempotenceMark[], value: boolean): number[] {
  const slices = Map.groupBy(
    carried.filter(({ message }) => isSliceMessageId(message.id)),
    ({ message }) => getMessageSliceId(message.id),
  )
  return [...slices].flatMap(([slice, sliceMarks]) =>
    sliceMarks.every(({ isIdempotent }) => isIdempotent) === value &&
    sliceMarks.some(({ message }) => message.isIdempotent !== value)
      ? [slice]
      : [],
  )
}

/**
 * Writes, before messages of a batch leave, which of them may be sent again with their outcome unknown: whoever finds them
 * may not have the journal. Nothing is written of those that say so already.
 */
export async function markIdempotentMessages(
  sender: SenderContext,
  carried: readonly IdempotenceMark[],
): Promise<void> {
  const changedMarks = carried.filter(({ message, isIdempotent }) => message.isIdempotent !== isIdempotent)
  if (changedMarks.length === 0) return
  for (const value of [true, false]) {
    const changedIds = changedMarks.flatMap(({ message, isIdempotent }) => (isIdempotent === value ? [message.id] : []))
    const slices = listChangedSlices(carried, value)
    await retryWhileUnavailable(sender, async () => {
      await sql`
        update message_slices set is_idempotent = ${value}
        where id = any(${slices}::bigint[]) and claimed_by = ${sender.id}::uuid`.execute(sender.db)
      await sql`
        update messages set is_idempotent = ${value}
        where id = any(${changedIds}::bigint[]) and claimed_by = ${sender.id}::uuid`.execute(sender.db)
    })
  }
}
