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
          selected: Type.Optional({
            ...SegmentIds,
            description: 'IDs of the segments whose contacts receive the message.',
          }),
          excluded: Type.Optional({ ...SegmentIds, description: 'IDs of the segments whose contacts are left out.' }),
        }),
        Type.Null(),
      ],
      {
        description: 'Segments to examine. Null or absent: those of the stored object.',
      },
    ),
  ),
})
export type AudienceBody = Static<typeof AudienceBody>

const Count = Type.Integer({ minimum: 0, description: 'Number of contacts.' })

/** Audience of a message sent now. */
export const AudienceReachability = Type.Object({
  selected: Type.Integer({ description: 'Number of contacts in at least one selected segment.' }),
  excluded: Type.Integer({ description: 'Number of these contacts that are left out by an excluded segment.' }),
  net: Type.Integer({ description: 'Number of contacts in the audience: `selected` minus `excluded`.' }),
  overlaps: Type.Array(
    Type.Object({
      segments: Type.Array(Type.Integer(), { minItems: 2, maxItems: 2, description: 'IDs of two selected segments.' }),
      count: Count,
    }),
    { description: 'Pairs of selected segments with contacts in common; only the first 30 segments are compared.' },
  ),
  cannot: Type.Array(
    Type.Object({ type: Type.String({ description: 'Reason, as the type of a cancellation.' }), count: Count }),
    {
      description: 'Contacts of the audience that cannot receive the message, by the first reason.',
    },
  ),
  pressure: Type.Object(
    {
      stopped: Type.Integer({
        description: 'Number of the other contacts whose message would be stopped or postponed.',
      }),
    },
    { description: 'Effect of marketing pressure.' },
  ),
  exact: Type.Boolean({
    description:
      'True: every contact was checked. False: `cannot` and `pressure` are extrapolated from a sample of ' +
      'about 5,000 contacts.',
  }),
  at: Type.String({ format: 'date-time', description: 'Time of the count, in UTC.' }),
})
export type AudienceReachability = Static<typeof AudienceReachability>

export const ReachabilityQuery = Type.Object({
  purpose: Type.Optional(
    Type.Enum(['marketing', 'service'], {
      description:
        'Purpose of the message. `marketing`: promotional. `service`: answers something the contact did, such as an order. Default: `marketing`.',
    }),
  ),
  topic: Type.Optional(
    Type.String({ description: 'ID of the topic of marketing pressure, a UUID. Absent: no topic.' }),
  ),
})
export type ReachabilityQuery = Static<typeof ReachabilityQuery>

/** True if a message may be sent on one channel now, else with the reasons. */
export const ChannelReachability = Type.Object(
  {
    may: Type.Boolean({ description: 'True: a message may be sent now.' }),
    until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'Time from which a message may be sent again if nothing else is sent, in UTC. Null: it may be sent ' +
        'now, or waiting does not help.',
    }),
    because: Type.Array(
      Type.Object({
        type: Type.String({ description: 'Reason, as the type of a cancellation.' }),
        value: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
          description: 'Details of the reason, as the value of a cancellation. Null: none.',
        }),
      }),
      { description: 'All reasons, in the order of the checks before sending. Empty if `may` is true.' },
    ),
  },
  { description: 'Reachability on this channel.' },
)
export type ChannelReachability = Static<typeof ChannelReachability>

export const ReachabilityResource = Type.Object(
  Object.fromEntries(sendingChannelNames.map((name) => [name, ChannelReachability])) as Record<
    (typeof sendingChannelNames)[number],
    typeof ChannelReachability
  >,
)
export type ReachabilityResource = Static<typeof ReachabilityResource>
