import { type Static, Type } from 'typebox'
import { sendingChannelNames } from '../../../channels/channel-traits.ts'

const NullableText = Type.Union([Type.String(), Type.Null()])

/** A message as it was. */
export const MessageResource = Type.Object({
  stamp: Type.Object(
    {
      id: Type.String({ description: 'what names it in this account' }),
      thread: Type.String({ description: 'what names one conversation or send' }),
      set: Type.String({ description: 'id of the batch: a request, or a run' }),
      time: Type.Integer({ description: 'milliseconds since 1970' }),
    },
    { description: 'what names one send' },
  ),
  channel: Type.Enum([...sendingChannelNames], { description: 'the channel that it is sent by' }),
  kind: Type.Enum(['message', 'campaign', 'test'], { description: 'what kind of thing it is' }),
  state: Type.Enum(['queued', 'accepted', 'refused', 'cancelled', 'held'], {
    description: 'queued: it waits or is being sent; held: in doubt after a crash',
  }),
  source: Type.Object(
    {
      type: Type.Enum(['action', 'rcs', 'notification'], { description: 'which of the possible kinds it is' }),
      id: Type.Union([Type.String(), Type.Integer()], { description: 'what names it in this account' }),
      name: Type.String({ description: 'the name that people give it' }),
    },
    { description: 'what it was sent by, with its name of then' },
  ),
  contact: Type.Union([Type.String(), Type.Null()], { description: 'the contact, by its id' }),
  address: Type.Union([Type.String(), Type.Null()], {
    description: 'where it went: an address or number; null: not known yet, or to devices',
  }),
  parts: Type.Record(Type.String(), Type.String(), {
    description:
      'rendered from its own content with the values it used, by name: subject, html, text and amp of a mail, text of an ' +
      'SMS, title, body and others of a notification. Empty when nothing could be made. Its links lead on and record nothing',
  }),
  sender: Type.Union([Type.Object({}, { additionalProperties: true }), Type.String(), Type.Null()], {
    description: 'of a mail as previews have it, of an SMS the sender, of RCS the agent; null of notifications',
  }),
  message: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
    description: 'of RCS: the contentMessage that RBM got',
  }),
  error: Type.Union(
    [
      Type.Object({
        type: Type.Enum(['render', 'cancelled'], { description: 'which of the possible kinds it is' }),
        message: Type.String({ description: 'what is wrong, in words' }),
      }),
      Type.Null(),
    ],
    {
      description: 'why there are no parts',
    },
  ),
  lastReply: { ...NullableText, description: 'text of the last answer to it; null: none' },
})
export type MessageResource = Static<typeof MessageResource>
