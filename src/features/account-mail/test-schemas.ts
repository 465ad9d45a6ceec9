import { type Static, Type } from 'typebox'
import { profiledChannelNames } from '../../channels/channel-traits.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

export const SendingTestBody = Type.Object({
  channel: Type.Enum([...profiledChannelNames], { description: 'the channel that it is sent by' }),
  to: Type.Optional(
    nullableSchema(
      Type.String({
        minLength: 1,
        maxLength: 254,
        description: 'an address, or a number with its plus sign; a person gets mail at their own address alone',
      }),
    ),
  ),
})
export type SendingTestBody = Static<typeof SendingTestBody>

export const SendingTest = Type.Object({
  channel: Type.Enum([...profiledChannelNames], { description: 'the channel that it is sent by' }),
  to: Type.String({ description: 'where it goes to' }),
  from: Type.String({ description: 'as it was sent from' }),
  result: Type.Enum(['accepted', 'refused', 'deferred', 'doubtful'], {
    description: 'what the far side said; deferred: not now, and it is not tried again',
  }),
  detail: Type.String({ description: 'its words, or why there are none' }),
  gateway: Type.Object(
    {
      name: Type.String({ description: 'the name that people give it' }),
      kind: Type.String({ description: 'what kind of thing it is' }),
    },
    { description: 'the gateway that it leaves by' },
  ),
  captured: nullableSchema(
    Type.String({ description: 'its id below /captured, where it was captured instead of sent' }),
  ),
})
export type SendingTest = Static<typeof SendingTest>
