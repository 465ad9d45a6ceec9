import { type Static, Type } from 'typebox'
import { gatewayChannelNames } from '../../gateways/gateway.ts'

/** A message that was captured instead of sent. */
export const CapturedMessageSummary = Type.Object({
  id: Type.String({ description: 'it is at /captured/{id}' }),
  channel: Type.Enum([...gatewayChannelNames]),
  date: Type.String({ format: 'date-time' }),
  from: Type.String(),
  to: Type.String(),
  subject: Type.String({ description: 'of a mail; of other messages how they begin' }),
  confidential: Type.Boolean({ description: 'a mail that lets a person in: operators alone see it' }),
  stamp: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description: 'of its send' }),
  size: Type.Integer({ description: 'in octets' }),
  encoding: Type.Optional(Type.String({ description: 'of an SMS: its alphabet' })),
  segments: Type.Optional(Type.Integer({ description: 'of an SMS' })),
})
export type CapturedMessageSummary = Static<typeof CapturedMessageSummary>

const NullableText = Type.Union([Type.String(), Type.Null()])

/** One of them with its parts. */
export const CapturedMessageDetail = Type.Object({
  ...CapturedMessageSummary.properties,
  html: NullableText,
  text: NullableText,
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  attachments: Type.Array(Type.Object({ name: NullableText, type: Type.String(), size: Type.Integer() })),
  content: Type.Unknown({ description: 'of a rich message or a push: what would have been handed over; else null' }),
  source: Type.String({ description: 'as it would have left; its first 256 KiB' }),
})
export type CapturedMessageDetail = Static<typeof CapturedMessageDetail>
