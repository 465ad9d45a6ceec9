import { type Static, Type } from 'typebox'
import { int32Limits } from '../../../lib/int32.ts'

const UuidSchema = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const MAX_HELD_MESSAGES = 1000

/** A message of which it is unknown whether it arrived. */
export const HeldMessage = Type.Object({
  message: Type.String({ description: 'Stamp ID of the message. Copies have the ID of the message they copy.' }),
  action: Type.Union([Type.String(), Type.Integer()], {
    description: 'ID of the action: a string for email and SMS, an integer for RCS.',
  }),
  contact: Type.Union([Type.String(), Type.Null()], {
    description: 'ID of the contact. Null: the message went to an address without a contact.',
  }),
  since: Type.String({ format: 'date-time', description: 'Time since which the message is held, in UTC.' }),
  why: Type.Union([Type.String(), Type.Null()], { description: 'Reason for the doubt. Null: unknown.' }),
})
export type HeldMessage = Static<typeof HeldMessage>

export const HeldDecision = Type.Object({
  decision: Type.Enum(['send', 'drop'], {
    description:
      '`send`: the message is due now, and may arrive twice. `drop`: it is never sent, and stays counted as held.',
  }),
  action: Type.Optional(
    Type.Union([Type.String(), Type.Integer(int32Limits)], {
      description: 'ID of an action whose held messages are all decided on.',
    }),
  ),
  messages: Type.Optional(
    Type.Array(UuidSchema, {
      maxItems: MAX_HELD_MESSAGES,
      description: 'Stamp IDs of the messages to decide on. Those that are not held are skipped.',
    }),
  ),
})
export type HeldDecision = Static<typeof HeldDecision>

export const HeldDecisionResult = Type.Object({
  messages: Type.Integer({ description: 'Number of messages that were held until now.' }),
})
export type HeldDecisionResult = Static<typeof HeldDecisionResult>
