import { type Static, Type } from 'typebox'
import { actionChannelNames, getChannelTraits } from '../../../channels/channel-traits.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ShortReport } from '../../actions/reports/short-report-schemas.ts'
import { CampaignItem } from '../../campaign-groups/campaign-schemas.ts'
import { DisplayReport } from '../../display/display-report-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const itemKindNames = actionChannelNames.flatMap((channel) => Object.values(getChannelTraits(channel).actions))

const ReactionSum = Type.Object({
  human: Type.Integer({ description: 'how many by people' }),
  machine: Type.Integer({ description: 'how many by robots and relays' }),
})

/** Totals of all items of a campaign. Contacts cannot be summed: one contact may be counted for several items. */
export const CampaignTotals = Type.Object(
  {
    sent: Type.Integer({ description: 'of all channels' }),
    impressions: Type.Integer({ description: 'of display, by humans' }),
    opens: { ...ReactionSum, description: 'how many were opened' },
    clicks: Type.Object({ ...ReactionSum.properties }, { description: 'those of display among them' }),
    unsubscribes: Type.Integer({ description: 'how many opted out' }),
    complaints: Type.Integer({ description: 'how many recipients complained' }),
    replies: Type.Integer({ description: 'how many answers came' }),
    bounces: Type.Integer({ description: 'how many addresses refused it' }),
  },
  { description: 'what all of it came to' },
)
export type CampaignTotals = Static<typeof CampaignTotals>

const LastSending = nullableSchema(
  Type.String({ format: 'date-time', description: 'when the latest of its sendings began' }),
)

/** An item of a campaign with its state and what it came to. */
export const CampaignItemReport = Type.Object({
  ...CampaignItem.properties,
  kind: nullableSchema(Type.Enum(itemKindNames, { description: 'type of the action; null: it is none' })),
  name: Type.String({ description: 'the name that people give it' }),
  state: nullableSchema(Type.Integer({ description: 'of an action' })),
  paused: Type.Boolean({ description: 'whether it is held for now' }),
  active: nullableSchema(Type.Boolean({ description: 'of what has no state but this' })),
  startDate: nullableSchema({ ...Instant, description: 'when it begins or began, in UTC' }),
  report: nullableSchema(ShortReport),
  display: nullableSchema({ ...DisplayReport, description: 'results of a display campaign; null: it is none' }),
})
export type CampaignItemReport = Static<typeof CampaignItemReport>

export const CampaignResults = Type.Object({
  items: Type.Array(CampaignItemReport, { description: 'in the order of the campaign' }),
  totals: CampaignTotals,
  lastSending: LastSending,
})
export type CampaignResults = Static<typeof CampaignResults>

/** A campaign of the list, in a line. */
export const CampaignSummary = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  items: Type.Integer({ description: 'how many items it has' }),
  totals: CampaignTotals,
  lastSending: LastSending,
})
export type CampaignSummary = Static<typeof CampaignSummary>
