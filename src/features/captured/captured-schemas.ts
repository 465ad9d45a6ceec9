import { type Static, Type } from 'typebox'
import { gatewayChannelNames } from '../../gateways/gateway.ts'

/** A message that was captured instead of sent. */
export const CapturedMessageSummary = Type.Object({
  id: Type.String({ description: 'ID of the captured message.' }),
  channel: Type.Enum([...gatewayChannelNames], { description: 'Channel of the message.' }),
  date: Type.String({ format: 'date-time', description: 'Time of the capture, in UTC.' }),
  from: Type.String({ description: 'Sender: an address, number or name.' }),
  to: Type.String({ description: 'Recipient: an address or number.' }),
  subject: Type.String({ description: 'Subject of an email; of other messages, the beginning of the text.' }),
  confidential: Type.Boolean({
    description: 'True: an email that gives access to the console, visible to operators only.',
  }),
  stamp: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'Stamp ID of the message. Null: none.',
  }),
  size: Type.Integer({ description: 'Size in bytes.' }),
  encoding: Type.Optional(Type.String({ description: 'Alphabet of an SMS. Absent for other messages.' })),
  segments: Type.Optional(Type.Integer({ description: 'Number of SMS segments. Absent for other messages.' })),
})
export type CapturedMessageSummary = Static<typeof CapturedMessageSummary>

const NullableText = Type.Union([Type.String(), Type.Null()])

/** One of them with its parts. */
export const CapturedMessageDetail = Type.Object({
  ...CapturedMessageSummary.properties,
  html: { ...NullableText, description: 'HTML part of an email. Null: none.' },
  text: { ...NullableText, description: 'Text of an email or SMS. Null: none.' },
  headers: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the header.' }),
      value: Type.String({ description: 'Value of the header.' }),
    }),
    { description: 'Headers of an email; empty for other messages.' },
  ),
  attachments: Type.Array(
    Type.Object({
      name: { ...NullableText, description: 'Name of the file. Null: none.' },
      type: Type.String({ description: 'Media type of the file.' }),
      size: Type.Integer({ description: 'Size in bytes.' }),
    }),
    { description: 'Attachments of an email.' },
  ),
  content: Type.Unknown({
    description: 'Content of an RCS message or notification as it would have been sent. Null for email and SMS.',
  }),
  source: Type.String({ description: 'Message as it would have been sent; its first 256 KiB.' }),
})
export type CapturedMessageDetail = Static<typeof CapturedMessageDetail>
