import { fetchAttachments, type MissingAttachment } from '../../channels/email/attachments.ts'
import type { GatewayBatch } from '../deliver/gateway-batch.ts'
import { buildOutcomeBase } from '../record/endings.ts'
import type { SenderContext } from '../senders/sender-context.ts'
import type { PreparedMessage } from './prepared-message.ts'

/** So many messages have their files in memory at once. */
const MAX_CONCURRENT_MESSAGES = 4

/** Returns true if attachments must be fetched before a message can be composed. */
export function hasRemoteAttachments({ message }: PreparedMessage): boolean {
  return (message.request.attachments ?? []).some((attachment) => 'url' in attachment)
}

/** A fault of ours ends one message, not the batch; the log has the cause. */
async function fetchSafely(
  { reach, log }: SenderContext,
  { message, owner }: PreparedMessage,
  silentHosts: Set<string>,
): Promise<Map<string, Buffer> | MissingAttachment> {
  const attachments = message.request.attachments ?? []
  try {
    return await fetchAttachments(attachments, { hosts: owner.attachmentHosts, reach, silent: silentHosts })
  } catch (error) {
    log.error({ err: error, message: message.id }, 'attachments could not be fetched')
    return { name: attachments[0]?.name ?? '', reason: 'cannot be fetched' }
  }
}

/**
 * Gives messages with what was at the addresses of their attachments, a few at a time; one whose file cannot be had ends
 * here. It stops early when the sender is to end.
 */
export async function* fetchBatchAttachments(
  { sender, recorder, untouched }: GatewayBatch,
  list: readonly PreparedMessage[],
): AsyncGenerator<readonly PreparedMessage[]> {
  const silentHosts = new Set<string>()
  for (let sliceStart = 0; sliceStart < list.length && !sender.signal.aborted; sliceStart += MAX_CONCURRENT_MESSAGES) {
    const pendingFetches = list
      .slice(sliceStart, sliceStart + MAX_CONCURRENT_MESSAGES)
      .map(async (prepared): Promise<PreparedMessage[]> => {
        const fetched = await fetchSafely(sender, prepared, silentHosts)
        if (fetched instanceof Map) return [{ ...prepared, fetched }]
        untouched.delete(prepared.message.id)
        const cancellation = { type: 'attachment', value: { ...fetched } } as const
        recorder.add({ ...buildOutcomeBase(prepared, sender.clock.now()), ending: { type: 'cancelled', cancellation } })
        return []
      })
    yield (await Promise.all(pendingFetches)).flat()
  }
}
