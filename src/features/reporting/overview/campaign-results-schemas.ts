import { type Static, Type } from 'typebox'
import { actionChannelNames, getChannelTraits } from '../../../channels/channel-traits.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ShortReport } from '../../actions/reports/short-report-schemas.ts'
import { ACTION_STATES_IN_WORDS } from '../../actions/resource/action-schemas.ts'
import { CampaignItem } from '../../campaign-groups/campaign-schemas.ts'
import { DisplayReport } from '../../display/display-report-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const itemKindNames = actionChannelNames.flatMap((channel) => Object.values(getChannelTraits(channel).actions))

const ReactionSum = Type.Object({
  human: Type.Integer({ description: 'Number of human reactions.' }),
  machine: Type.Integer({ description: 'Number of reactions by robots and relays.' }),
})

/** Totals of all items of a campaign. Contacts cannot be summed: one contact may be counted for several items. */
export const CampaignTotals = Type.Object(
  {
    sent: Type.Integer({ description: 'Number of messages sent, on all channels.' }),
    impressions: Type.Integer({ description: 'Number of human impressions of display contents.' }),
    opens: { ...ReactionSum, description: 'Number of opens.' },
    clicks: Type.Object(
      { ...ReactionSum.properties },
      { description: 'Number of clicks, including those of display contents.' },
    ),
    unsubscribes: Type.Integer({ description: 'Number of unsubscriptions.' }),
    complaints: Type.Integer({ description: 'Number of complaints.' }),
    replies: Type.Integer({ description: 'Number of replies.' }),
    bounces: Type.Integer({ description: 'Number of bounces.' }),
  },
  { description: 'Totals of all items. Contacts are not counted, since one contact may be in several items.' },
)
export type CampaignTotals = Static<typeof CampaignTotals>

const LastSending = nullableSchema(
  Type.String({ format: 'date-time', description: 'Time of the start of the last sending, in UTC. Null: none.' }),
)

/** An item of a campaign with its state and what it came to. */
export const CampaignItemReport = Type.Object({
  ...CampaignItem.properties,
  kind: nullableSchema(
    Type.Enum(itemKindNames, { description: 'Type of the action. Null: the item is not an action.' }),
  ),
  name: Type.String({ description: 'Name of the item.' }),
  state: nullableSchema(
    Type.Integer({
      description: `State of the action. ${ACTION_STATES_IN_WORDS} Null: the item is not an action.`,
    }),
  ),
  paused: Type.Boolean({ description: 'True: the sending is paused.' }),
  active: nullableSchema(Type.Boolean({ description: 'True: the item is active. Null: the item is an action.' })),
  startDate: nullableSchema({
    ...Instant,
    description: 'Time of the start, in UTC. Null: not started, or not an action.',
  }),
  report: nullableSchema(ShortReport),
  display: nullableSchema({
    ...DisplayReport,
    description: 'Results of a display campaign. Null: the item is not a display campaign.',
  }),
})
export type CampaignItemReport = Static<typeof CampaignItemReport>

export const CampaignResults = Type.Object({
  items: Type.Array(CampaignItemReport, { description: 'Items in the order of the campaign.' }),
  totals: CampaignTotals,
  lastSending: LastSending,
})
export type CampaignResults = Static<typeof CampaignResults>

/** A campaign of the list, in a line. */
export const CampaignSummary = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the campaign.' }),
  items: Type.Integer({ description: 'Number of items in the campaign.' }),
  totals: CampaignTotals,
  lastSending: LastSending,
})
export type CampaignSummary = Static<typeof CampaignSummary>
