import type { DeliveryEndings } from '../claim/queue-messages.ts'
import type { ComposedMessage } from '../prepare/compose-message.ts'
import type { PreparedMessage } from '../prepare/prepared-message.ts'
import type { FinishedEnding, MessageOutcome } from '../record/outcome.ts'

/** Ending of one delivery. */
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
  /** Endings of deliveries, in this try and before, including held ones. */
  ended: Record<string, DeliveryEndings[string]>
  /** Deliveries to be tried again, or not started. */
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

/** Records the answer to one delivery. Returns true if the message has an outcome of its own in addition. */
export function recordDeliveryAnswer(inFlightMessage: InFlightMessage, { sequence, ending }: DeliveryAnswer): boolean {
  inFlightMessage.left.delete(sequence)
  if (inFlightMessage.isSingle) return false
  if (ending.type === 'postponed' || ending.type === 'returned') inFlightMessage.staying.push(ending)
  else inFlightMessage.ended[sequence] = ending.type
  if (ending.type === 'held') inFlightMessage.held = ending.reason
  return true
}

/** The outcome of a message all of whose deliveries have ended: accepted when one of them was. */
export function combineDeliveryOutcomes(endings: DeliveryEndings): FinishedEnding['outcome'] {
  const outcomes = new Set(Object.values(endings))
  if (outcomes.has('accepted')) return 'accepted'
  return outcomes.has('refused') ? 'refused' : 'cancelled'
}

/** Returns the outcome with which a message leaves the outbox: its ended deliveries count if the others are cancelled. */
export function getEndedMessageOutcome(
  deliveries: DeliveryEndings | null | undefined,
  ending: Extract<MessageOutcome['ending'], { type: 'accepted' | 'refused' | 'cancelled' | 'finished' }>,
): FinishedEnding['outcome'] {
  if (ending.type === 'finished') return ending.outcome
  return ending.type === 'cancelled' && deliveries ? combineDeliveryOutcomes(deliveries) : ending.type
}

/** Returns the ending with the earliest retry of the deliveries to be tried again; a started delivery counts as a try. */
function findEarliestRetry(staying: InFlightMessage['staying']): InFlightMessage['staying'][number] | undefined {
  const notBefore = Math.min(...staying.map((ending) => ending.notBefore))
  const retryEnding = staying.find(({ type }) => type === 'postponed') ?? staying[0]
  return retryEnding && { ...retryEnding, notBefore }
}

/** Returns the ending of a message once every delivery of a try was answered; `undefined`: the outcome of its only delivery is its own. */
export function finalizeInFlightMessage({
  isSingle,
  staying,
  held: heldReason,
  ended: deliveryEndings,
  address,
  values,
}: InFlightMessage): MessageOutcome['ending'] | undefined {
  if (isSingle) return undefined
  const earliestRetry = findEarliestRetry(staying)
  if (earliestRetry) return earliestRetry
  if (Object.values(deliveryEndings).includes('held'))
    return { type: 'held', reason: heldReason ?? 'delivery in doubt' }
  return { type: 'finished', outcome: combineDeliveryOutcomes(deliveryEndings), address, values }
}
