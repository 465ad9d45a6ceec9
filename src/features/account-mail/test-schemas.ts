import { type Static, Type } from 'typebox'
import { profiledChannelNames } from '../../channels/channel-traits.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

export const SendingTestBody = Type.Object({
  channel: Type.Enum([...profiledChannelNames], { description: 'Channel of the message.' }),
  to: Type.Optional(
    nullableSchema(
      Type.String({
        minLength: 1,
        maxLength: 254,
        description:
          'Email address, or phone number with its plus sign. Optional for users and email: their own address.',
      }),
    ),
  ),
})
export type SendingTestBody = Static<typeof SendingTestBody>

export const SendingTest = Type.Object({
  channel: Type.Enum([...profiledChannelNames], { description: 'Channel of the message.' }),
  to: Type.String({ description: 'Address or number of the recipient.' }),
  from: Type.String({ description: 'Address, number or name of the sender.' }),
  result: Type.Enum(['accepted', 'refused', 'deferred', 'doubtful'], {
    description:
      '`accepted`: by the receiving side. `refused`: permanently. `deferred`: not accepted now; not retried. `doubtful`: no clear answer.',
  }),
  detail: Type.String({ description: 'Answer of the receiving side, or the reason for its absence.' }),
  gateway: Type.Object(
    {
      name: Type.String({ description: 'Name of the gateway.' }),
      kind: Type.String({ description: 'Type of the gateway.' }),
    },
    { description: 'Gateway used.' },
  ),
  captured: nullableSchema(
    Type.String({ description: 'ID of the captured message, see `/captured`. Null: the message was sent.' }),
  ),
})
export type SendingTest = Static<typeof SendingTest>
