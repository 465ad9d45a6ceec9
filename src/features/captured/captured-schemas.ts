import { type Static, Type } from 'typebox'
import { gatewayChannelNames } from '../../gateways/gateway.ts'

/** A message that was captured instead of sent. */
export const CapturedMessageSummary = Type.Object({
  id: Type.String({ description: 'it is at /captured/{id}' }),
  channel: Type.Enum([...gatewayChannelNames], { description: 'the channel that it is sent by' }),
  date: Type.String({ format: 'date-time', description: 'when it happened, in UTC' }),
  from: Type.String({ description: 'where it comes from' }),
  to: Type.String({ description: 'where it goes to' }),
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
  html: { ...NullableText, description: 'the text in HTML' },
  text: { ...NullableText, description: 'the text, plain' },
  headers: Type.Array(
    Type.Object({
      name: Type.String({ description: 'the name that people give it' }),
      value: Type.String({ description: 'the value itself' }),
    }),
    { description: 'headers of the message, by name' },
  ),
  attachments: Type.Array(
    Type.Object({
      name: { ...NullableText, description: 'the name that people give it' },
      type: Type.String({ description: 'which of the possible kinds it is' }),
      size: Type.Integer({ description: 'how large it is' }),
    }),
    { description: 'files that go with the message' },
  ),
  content: Type.Unknown({ description: 'of a rich message or a push: what would have been handed over; else null' }),
  source: Type.String({ description: 'as it would have left; its first 256 KiB' }),
})
export type CapturedMessageDetail = Static<typeof CapturedMessageDetail>
