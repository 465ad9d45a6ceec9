import type { OutgoingMessage } from '../../gateways/gateway.ts'
import { buildOutcomeBase } from '../record/endings.ts'
import type { OutcomeRecorder } from '../record/outcome-recorder.ts'
import type { SenderContext } from '../senders/sender-context.ts'
import type { CompositionMeter } from './batch-spans.ts'
import { type ComposedMessage, composeOutgoingMessage } from './compose-message.ts'
import { findExpiryCancellation } from './exclusions.ts'
import type { PausedSendings } from './paused-sendings.ts'
import type { PreparedMessage } from './prepared-message.ts'

/** Shared input of composing the messages of a batch. */
export interface BatchComposition {
  sender: SenderContext
  recorder: OutcomeRecorder
  /** Neither ended nor taken by a gateway. */
  untouched: Set<number>
  halts: PausedSendings
  /** Messages were passed over because their sending was paused or cancelled. */
  isHalted: boolean
  /** Set if tracing is enabled. */
  meter?: CompositionMeter | undefined
}

/** Returns true if a message waits because its sending was paused or cancelled meanwhile. */
export function isSendingPaused(batch: BatchComposition, { message }: PreparedMessage): boolean {
  const isSendingHalted = batch.halts.has(message.sending)
  batch.isHalted ||= isSendingHalted
  return isSendingHalted
}

/** A fault of ours in one message must not keep the others from leaving: it ends that message, and the log has the cause. */
function composeSafely(
  { tokens, clock, log }: SenderContext,
  prepared: PreparedMessage,
): ReturnType<typeof composeOutgoingMessage> {
  try {
    return composeOutgoingMessage(prepared, tokens, clock.now())
  } catch (error) {
    log.error(
      { err: error, message: prepared.message.id, version: prepared.message.version },
      'message could not be composed',
    )
    return {
      cancellation: {
        type: 'render error',
        value: { type: 'render', message: 'the message cannot be composed', position: null },
      },
    }
  }
}

/** Makes one message; undefined when it cannot be made, or its end has come since it was claimed: then it ends here. */
export function composeOrCancel(
  { sender, recorder, untouched, meter }: BatchComposition,
  prepared: PreparedMessage,
): ComposedMessage<OutgoingMessage | readonly OutgoingMessage[]> | undefined {
  const expiryCancellation = findExpiryCancellation(prepared, sender.clock.now())
  const composeMessage = () => composeSafely(sender, prepared)
  const result = expiryCancellation
    ? { cancellation: expiryCancellation }
    : meter
      ? meter.during(composeMessage)
      : composeMessage()
  if (!('cancellation' in result)) return result
  untouched.delete(prepared.message.id)
  recorder.add({
    ...buildOutcomeBase(prepared, sender.clock.now()),
    ending: { type: 'cancelled', cancellation: result.cancellation },
  })
  return undefined
}
