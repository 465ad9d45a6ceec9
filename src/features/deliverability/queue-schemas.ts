import { type Static, Type } from 'typebox'

const Instant = Type.String({ format: 'date-time' })
const NullableInstant = Type.Union([Instant, Type.Null()])

/** The queue of one lane. */
const QueueLane = Type.Object({
  lane: Type.Enum(['urgent', 'transactional', 'bulk'], { description: 'how urgent its messages are' }),
  waiting: Type.Integer({ description: 'counted up to 10,000' }),
  postponed: Type.Integer({ description: 'by marketing pressure; a part of waiting' }),
  oldest: Type.String({ format: 'date-time', description: 'when the oldest one was made' }),
})

/** A destination with its queues and its state. */
export const DestinationQueue = Type.Object({
  destination: Type.Union([Type.String(), Type.Null()], {
    description: 'null: what was not tried yet, whatever it goes to, and everything that goes through a relay',
  }),
  state: Type.Enum(['open', 'slow', 'suspended', 'held'], {
    description: 'slow: less than its limits are used; suspended: left alone for a while; held: by an operator',
  }),
  lanes: Type.Array(QueueLane, { description: 'what waits, by urgency' }),
  rate: Type.Union([Type.Number(), Type.Null()], {
    description: 'messages a second, of all senders; null: not in use',
  }),
  connections: Type.Union([Type.Integer(), Type.Null()], { description: 'of all senders; null: not in use' }),
  suspendedUntil: { ...NullableInstant, description: 'until when it is left alone, in UTC; null: it is not' },
  heldSince: { ...NullableInstant, description: 'since when an operator holds it, in UTC; null: none does' },
  lastRefusal: Type.Union([Type.String(), Type.Null()], { description: 'without addresses' }),
  lastRefusalDate: { ...NullableInstant, description: 'when it refused last, in UTC; null: not known' },
})
export type DestinationQueue = Static<typeof DestinationQueue>

export const QueueOperationBody = Type.Object(
  {
    operation: Type.Enum(['hold', 'release', 'flush'], {
      description: 'hold: nothing goes there until it is released; flush: what waits is due now',
    }),
  },
  { additionalProperties: false },
)
export type QueueOperation = Static<typeof QueueOperationBody>['operation']
