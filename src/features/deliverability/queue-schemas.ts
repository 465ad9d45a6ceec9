import { type Static, Type } from 'typebox'

const Instant = Type.String({ format: 'date-time' })
const NullableInstant = Type.Union([Instant, Type.Null()])

/** The queue of one lane. */
const QueueLane = Type.Object({
  lane: Type.Enum(['urgent', 'transactional', 'bulk'], {
    description: 'Priority of the messages, from the highest: `urgent`, `transactional`, `bulk`.',
  }),
  waiting: Type.Integer({ description: 'Number of waiting messages, counted up to 10,000.' }),
  postponed: Type.Integer({
    description: 'Number of waiting messages that marketing pressure has postponed; included in `waiting`.',
  }),
  oldest: Type.String({ format: 'date-time', description: 'Time of creation of the oldest waiting message, in UTC.' }),
})

/** A destination with its queues and its state. */
export const DestinationQueue = Type.Object({
  destination: Type.Union([Type.String(), Type.Null()], {
    description:
      'Destination of the messages: the operator of the mailboxes, or a domain. Null: messages that have ' +
      'not been tried yet, and messages sent through a relay.',
  }),
  state: Type.Enum(['open', 'slow', 'suspended', 'held'], {
    description:
      'State of the destination. `open`: messages are sent at the normal limits. `slow`: the limits are ' +
      'reduced. `suspended`: sending is paused for a while. `held`: an operator has stopped it.',
  }),
  lanes: Type.Array(QueueLane, { description: 'Waiting messages by priority.' }),
  rate: Type.Union([Type.Number(), Type.Null()], {
    description: 'Maximum number of messages per second, of all senders together. Null: not in use.',
  }),
  connections: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Maximum number of connections, of all senders together. Null: not in use.',
  }),
  suspendedUntil: {
    ...NullableInstant,
    description: 'Time of the end of the suspension, in UTC. Null: not suspended.',
  },
  heldSince: {
    ...NullableInstant,
    description: 'Time since which an operator has held the destination, in UTC. Null: not held.',
  },
  lastRefusal: Type.Union([Type.String(), Type.Null()], {
    description: 'Text of the last refusal, without addresses. Null: none is known.',
  }),
  lastRefusalDate: { ...NullableInstant, description: 'Time of the last refusal, in UTC. Null: none is known.' },
})
export type DestinationQueue = Static<typeof DestinationQueue>

export const QueueOperationBody = Type.Object(
  {
    operation: Type.Enum(['hold', 'release', 'flush'], {
      description:
        'Operation. `hold`: send nothing to the destination until it is released. `release`: end the hold. ' +
        '`flush`: make all waiting messages due now.',
    }),
  },
  { additionalProperties: false },
)
export type QueueOperation = Static<typeof QueueOperationBody>['operation']
