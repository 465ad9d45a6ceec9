import { type Static, Type } from 'typebox'
import { sendingChannelNames } from '../../../channels/channel-traits.ts'
import { int32IdLimits } from '../../../lib/int32.ts'

const Id = Type.Integer(int32IdLimits)
const SegmentIds = Type.Array(Id, { maxItems: 1000 })

/** The contacts to examine. */
export const AudienceBody = Type.Object({
  segments: Type.Optional(
    Type.Union(
      [
        Type.Object({
          selected: Type.Optional({ ...SegmentIds, description: 'ids of segments whose contacts it is for' }),
          excluded: Type.Optional({ ...SegmentIds, description: 'ids of segments whose contacts are left out' }),
        }),
        Type.Null(),
      ],
      {
        description: 'in place of those that are stored',
      },
    ),
  ),
})
export type AudienceBody = Static<typeof AudienceBody>

const Count = Type.Integer({ minimum: 0, description: 'how many there are' })

/** Audience of a message sent now. */
export const AudienceReachability = Type.Object({
  selected: Type.Integer({ description: 'contacts in any of the selected segments' }),
  excluded: Type.Integer({ description: 'of those, contacts in any of the excluded segments' }),
  net: Type.Integer({ description: 'the difference: the audience' }),
  overlaps: Type.Array(
    Type.Object({
      segments: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2, description: 'ids of segments' }),
      count: Count,
    }),
    { description: 'of selected segments two by two: contacts that are in both, where there are any' },
  ),
  cannot: Type.Array(Type.Object({ type: Type.String({ description: 'as of cancellations' }), count: Count }), {
    description: 'contacts of the audience that cannot be sent to, by the first reason',
  }),
  pressure: Type.Object(
    {
      stopped: Type.Integer({
        description: 'of the others: those whose message marketing pressure would stop, or let wait',
      }),
    },
    { description: 'what marketing pressure would do' },
  ),
  exact: Type.Boolean({
    description:
      'false: cannot and pressure are extrapolated from a part of the audience, of more than 20,000 contacts',
  }),
  at: Type.String({ format: 'date-time', description: 'when it happened' }),
})
export type AudienceReachability = Static<typeof AudienceReachability>

export const ReachabilityQuery = Type.Object({
  purpose: Type.Optional(Type.Enum(['marketing', 'service'], { description: 'marketing by default' })),
  topic: Type.Optional(Type.String({ description: 'of marketing pressure; a uuid' })),
})
export type ReachabilityQuery = Static<typeof ReachabilityQuery>

/** True if a message may be sent on one channel now, else with the reasons. */
export const ChannelReachability = Type.Object(
  {
    may: Type.Boolean({ description: 'whether a message may be sent now' }),
    until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'when it may again, if nothing more is sent; null: it may, or time does not change it',
    }),
    because: Type.Array(
      Type.Object({
        type: Type.String({ description: 'as of cancellations' }),
        value: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
          description: 'the value itself',
        }),
      }),
      { description: 'every reason, in the order in which messages are checked' },
    ),
  },
  { description: 'whether it can be reached so' },
)
export type ChannelReachability = Static<typeof ChannelReachability>

export const ReachabilityResource = Type.Object(
  Object.fromEntries(sendingChannelNames.map((name) => [name, ChannelReachability])) as Record<
    (typeof sendingChannelNames)[number],
    typeof ChannelReachability
  >,
)
export type ReachabilityResource = Static<typeof ReachabilityResource>
