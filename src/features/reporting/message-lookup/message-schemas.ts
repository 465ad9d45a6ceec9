import { type Static, Type } from 'typebox'
import { sendingChannelNames } from '../../../channels/channel-traits.ts'

const NullableText = Type.Union([Type.String(), Type.Null()])

/** A message as it was. */
export const MessageResource = Type.Object({
  stamp: Type.Object(
    {
      id: Type.String({ description: 'ID of the message, which all its events refer to.' }),
      thread: Type.String({ description: 'ID of the thread.' }),
      set: Type.String({ description: 'ID of the batch: a request or campaign run.' }),
      time: Type.Integer({ description: 'Time in milliseconds since 1970.' }),
    },
    { description: 'Identifiers of the message.' },
  ),
  channel: Type.Enum([...sendingChannelNames], { description: 'Channel of the message.' }),
  kind: Type.Enum(['message', 'campaign', 'test'], {
    description: 'Kind of the message. `message`: on demand. `test`: a test message.',
  }),
  state: Type.Enum(['queued', 'accepted', 'refused', 'cancelled', 'held'], {
    description:
      '`queued`: waiting or being sent. `accepted`: accepted by the gateway. `refused`: refused for good. ' +
      '`cancelled`: not handed over. `held`: outcome unknown after an interruption.',
  }),
  source: Type.Object(
    {
      type: Type.Enum(['action', 'rcs', 'notification'], { description: 'Type of the object.' }),
      id: Type.Union([Type.String(), Type.Integer()], { description: 'ID of the object.' }),
      name: Type.String({ description: 'Name of the object at the time of the send.' }),
    },
    { description: 'Object that sent the message.' },
  ),
  contact: Type.Union([Type.String(), Type.Null()], { description: 'ID of the contact. Null: none.' }),
  address: Type.Union([Type.String(), Type.Null()], {
    description: 'Address or number the message was sent to. Null: not known yet, or sent to devices.',
  }),
  parts: Type.Record(Type.String(), Type.String(), {
    description:
      'Rendered parts by name: `subject`, `html`, `text` and `amp` of an email, `text` of an SMS, `title`, ' +
      '`body` and others of a notification. Links work, but record nothing. Empty: the message could not be ' +
      'rendered.',
  }),
  sender: Type.Union([Type.Object({}, { additionalProperties: true }), Type.String(), Type.Null()], {
    description:
      'Sender of an email as in previews, sender of an SMS, or agent of an RCS message. Null for ' +
      'notifications and if nothing was rendered.',
  }),
  message: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
    description: '`contentMessage` of an RCS message, as sent to RBM. Null: another channel, or nothing was rendered.',
  }),
  error: Type.Union(
    [
      Type.Object({
        type: Type.Enum(['render', 'cancelled'], {
          description: '`render`: the content could not be rendered. `cancelled`: the content refused the contact.',
        }),
        message: Type.String({ description: 'Explanation of the error.' }),
      }),
      Type.Null(),
    ],
    {
      description: 'Reason for missing parts. Null: none.',
    },
  ),
  lastReply: { ...NullableText, description: 'Text of the last reply to the message. Null: none.' },
})
export type MessageResource = Static<typeof MessageResource>
