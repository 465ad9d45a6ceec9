import { type Static, Type } from 'typebox'
import { gatewayChannels } from '../../gateways/gateway.ts'

/** A message that was captured instead of sent. */
export const CapturedMessage = Type.Object({
  id: Type.String({ description: 'its page is /captured/{id}' }),
  channel: Type.Enum([...gatewayChannels]),
  date: Type.String({ format: 'date-time' }),
  from: Type.String(),
  to: Type.String(),
  stamp: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description: 'of its send' }),
  size: Type.Integer({ description: 'in octets' }),
  encoding: Type.Optional(Type.String()),
  segments: Type.Optional(Type.Integer({ description: 'of an SMS' })),
})
export type CapturedMessage = Static<typeof CapturedMessage>
