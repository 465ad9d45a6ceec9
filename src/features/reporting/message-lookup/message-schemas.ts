import { type Static, Type } from 'typebox'
import { sendingChannelNames } from '../../../channels/traits.ts'

const NullableText = Type.Union([Type.String(), Type.Null()])

/** A message as it was. */
export const MessageResource = Type.Object({
  stamp: Type.Object({
    ...{ id: Type.String(), thread: Type.String(), set: Type.String() },
    time: Type.Integer({ description: 'milliseconds since 1970' }),
  }),
  channel: Type.Enum([...sendingChannelNames]),
  kind: Type.Enum(['message', 'campaign', 'test']),
  state: Type.Enum(['queued', 'accepted', 'refused', 'cancelled', 'held'], {
    description: 'queued: it waits or is being sent; held: in doubt after a crash',
  }),
  source: Type.Object(
    {
      type: Type.Enum(['action', 'rcs', 'notification']),
      id: Type.Union([Type.String(), Type.Integer()]),
      name: Type.String(),
    },
    { description: 'what it was sent by, with its name of then' },
  ),
  contact: Type.Union([Type.String(), Type.Null()]),
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
  error: Type.Union([Type.Object({ type: Type.Enum(['render', 'cancelled']), message: Type.String() }), Type.Null()], {
    description: 'why there are no parts',
  }),
  lastReply: { ...NullableText, description: 'text of the last answer to it; null: none' },
})
export type MessageResource = Static<typeof MessageResource>
