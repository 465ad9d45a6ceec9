import type { DeliveryEndings } from '../claim/queue-messages.ts'
import type { ComposedMessage } from '../prepare/compose-message.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import type { FinishedEnding, MessageOutcome } from '../record/outcome.ts'

/** What became of one delivery. */
export interface DeliveryAnswer {
  sequence: number
  ending: Exclude<MessageOutcome['ending'], FinishedEnding>
}

/** A message some of whose deliveries are on their way. */
export interface InFlightMessage {
  prepared: PreparedMessage
  address: string
  values: unknown
  /** Sequences without an answer in this try. */
  left: Set<number>
  /** It has no delivery but one: that one's outcome is its own. */
  isSingle: boolean
  /** What became of deliveries, in this try and before; also those that are held. */
  ended: Record<string, DeliveryEndings[string]>
  /** What is to be tried again, or was not started. */
  staying: Extract<MessageOutcome['ending'], { type: 'postponed' | 'returned' }>[]
  /** Why one is held. */
  held: string | undefined
  /** All gateways of this try take a delivery once however often it is sent. */
  isIdempotent: boolean
}

/** A message with the deliveries of this try. */
export function createInFlightMessage(
  prepared: PreparedMessage,
  { address, values }: Pick<ComposedMessage, 'address' | 'values'>,
  sequences: readonly number[],
): InFlightMessage {
  const { deliveries } = prepared.message
  return {
    prepared,
    address,
    values,
    left: new Set(sequences),
    isSingle: sequences.length === 1 && deliveries === null,
    ended: { ...deliveries },
    staying: [],
    held: undefined,
    isIdempotent: true,
  }
}

/** Takes the answer to one delivery; gives whether the message has an outcome beside it. */
export function recordDeliveryAnswer(open: InFlightMessage, { sequence, ending }: DeliveryAnswer): boolean {
  open.left.delete(sequence)
  if (open.isSingle) return false
  if (ending.type === 'postponed' || ending.type === 'returned') open.staying.push(ending)
  else open.ended[sequence] = ending.type
  if (ending.type === 'held') open.held = ending.reason
  return true
}

/** The outcome of a message all of whose deliveries have ended: accepted when one of them was. */
export function combineDeliveryOutcomes(ended: DeliveryEndings): FinishedEnding['outcome'] {
  const outcomes = new Set(Object.values(ended))
  if (outcomes.has('accepted')) return 'accepted'
  return outcomes.has('refused') ? 'refused' : 'cancelled'
}

/** How a message leaves the outbox: what ended of it counts when the rest is cancelled. */
export function getEndedMessageOutcome(
  deliveries: DeliveryEndings | null | undefined,
  ending: Extract<MessageOutcome['ending'], { type: 'accepted' | 'refused' | 'cancelled' | 'finished' }>,
): FinishedEnding['outcome'] {
  if (ending.type === 'finished') return ending.outcome
  return ending.type === 'cancelled' && deliveries ? combineDeliveryOutcomes(deliveries) : ending.type
}

/** When the first of those that are to be tried again may be; one that was begun counts as a try. */
function againOf(staying: InFlightMessage['staying']): InFlightMessage['staying'][number] | undefined {
  const notBefore = Math.min(...staying.map((ending) => ending.notBefore))
  const chosen = staying.find(({ type }) => type === 'postponed') ?? staying[0]
  return chosen && { ...chosen, notBefore }
}

/** What a message comes to once every delivery of a try was answered; undefined: its only delivery's outcome is its own. */
export function finalizeInFlightMessage({
  isSingle,
  staying,
  held,
  ended,
  address,
  values,
}: InFlightMessage): MessageOutcome['ending'] | undefined {
  if (isSingle) return undefined
  const again = againOf(staying)
  if (again) return again
  if (Object.values(ended).includes('held')) return { type: 'held', reason: held ?? 'a delivery is in doubt' }
  return { type: 'finished', outcome: combineDeliveryOutcomes(ended), address, values }
}
