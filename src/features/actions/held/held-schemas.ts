import { type Static, Type } from 'typebox'
import { int32Limits } from '../../../lib/int32.ts'

const UuidSchema = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const MAX_HELD_MESSAGES = 1000

/** A message of which it is unknown whether it arrived. */
export const HeldMessage = Type.Object({
  message: Type.String({ description: 'the id of its stamp; copies of a message have that of the message' }),
  action: Type.Union([Type.String(), Type.Integer()], { description: 'an RCS action by its number' }),
  contact: Type.Union([Type.String(), Type.Null()], { description: 'null: it went to an address alone' }),
  since: Type.String({ format: 'date-time', description: 'from when on, in UTC' }),
  why: Type.Union([Type.String(), Type.Null()], { description: 'why it is in doubt' }),
})
export type HeldMessage = Static<typeof HeldMessage>

export const HeldDecision = Type.Object({
  decision: Type.Enum(['send', 'drop'], {
    description: 'send: it is due now, and may arrive twice; drop: it is never sent, and stays counted as held',
  }),
  action: Type.Optional(
    Type.Union([Type.String(), Type.Integer(int32Limits)], { description: 'everything that is held of one action' }),
  ),
  messages: Type.Optional(
    Type.Array(UuidSchema, {
      maxItems: MAX_HELD_MESSAGES,
      description: 'those of them that are held; others are passed over',
    }),
  ),
})
export type HeldDecision = Static<typeof HeldDecision>

export const HeldDecisionResult = Type.Object({
  messages: Type.Integer({ description: 'how many were held until now' }),
})
export type HeldDecisionResult = Static<typeof HeldDecisionResult>
