import type { Outgoing } from '../../gateways/gateway.ts'
import { expiryOf } from '../plan/exclusions.ts'
import { outcomeBase } from '../record/endings.ts'
import type { Recorder } from '../record/outcome-recorder.ts'
import type { Sender } from '../senders/sender-context.ts'
import type { MakingMeter } from './batch-spans.ts'
import { type ComposedMessage, compose } from './compose-message.ts'
import type { Halts } from './paused-sendings.ts'
import type { PreparedMessage } from './prepared-message.ts'

/** What a batch is made with. */
export interface Making {
  sender: Sender
  recorder: Recorder
  /** Neither ended nor taken by a gateway. */
  untouched: Set<number>
  halts: Halts
  /** Messages were passed over because their sending was paused or cancelled. */
  isHalted: boolean
  /** Where there is tracing. */
  meter?: MakingMeter | undefined
}

/** Whether a message waits as its sending was paused or cancelled meanwhile. */
export function isHalted(batch: Making, { message }: PreparedMessage): boolean {
  const halted = batch.halts.has(message.sending)
  batch.isHalted ||= halted
  return halted
}

/** A fault of ours in one message must not keep the others from leaving: it ends that message, and the log has the cause. */
function composeSafely({ tokens, clock, log }: Sender, prepared: PreparedMessage): ReturnType<typeof compose> {
  try {
    return compose(prepared, tokens, clock.now())
  } catch (error) {
    log.error(
      { err: error, message: prepared.message.id, version: prepared.message.version },
      'a message cannot be composed',
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
export function makeOrCancel(
  { sender, recorder, untouched, meter }: Making,
  prepared: PreparedMessage,
): ComposedMessage<Outgoing | readonly Outgoing[]> | undefined {
  const expiry = expiryOf(prepared, sender.clock.now())
  const make = () => composeSafely(sender, prepared)
  const result = expiry ? { cancellation: expiry } : meter ? meter.during(make) : make()
  if (!('cancellation' in result)) return result
  untouched.delete(prepared.message.id)
  recorder.add({
    ...outcomeBase(prepared, sender.clock.now()),
    ending: { type: 'cancelled', cancellation: result.cancellation },
  })
  return undefined
}
