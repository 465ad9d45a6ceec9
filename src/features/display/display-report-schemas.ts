import { type Static, Type } from 'typebox'
import { DisplayCampaignResource } from './display-schemas.ts'

const Reactions = Type.Object({
  human: Type.Integer({ description: 'how many by people' }),
  machine: Type.Integer({ description: 'robots' }),
  contacts: Type.Integer({ description: 'different known contacts behind the former' }),
})

/** Results of a display campaign, from the stored summaries: they trail the events by a moment at most. */
export const DisplayReport = Type.Object({
  impressions: { ...Reactions, description: 'how often it was shown' },
  clicks: { ...Reactions, description: 'how many links were followed' },
})
export type DisplayReport = Static<typeof DisplayReport>

export const DisplayCampaignQuery = Type.Object({
  report: Type.Optional(Type.Boolean({ description: 'true: each has its report' })),
})

export const ListedDisplayCampaign = Type.Object({
  ...DisplayCampaignResource.properties,
  report: Type.Optional({ ...DisplayReport, description: 'its results' }),
})

export const DisplayTimelineQuery = Type.Object({
  start: Type.Optional(
    Type.String({ description: 'of days, contents and placements; 30 days before the end by default' }),
  ),
  end: Type.Optional(Type.String({ description: 'now by default; at most 92 days after the start' })),
})
export type DisplayTimelineQuery = Static<typeof DisplayTimelineQuery>

const figures = {
  impressions: Type.Integer({ description: 'how often it was shown' }),
  clicks: Type.Integer({ description: 'how many links were followed' }),
}
const ShareList = (listDescription: string) =>
  Type.Array(Type.Object({ id: Type.String({ description: 'what names it in this account' }), ...figures }), {
    description: `${listDescription}, the most shown first; by humans`,
  })

/** A display campaign in all, and in a period. */
export const DisplayTimeline = Type.Object({
  ...DisplayReport.properties,
  start: Type.String({ format: 'date-time', description: 'the start of the time, inclusive' }),
  end: Type.String({ format: 'date-time', description: 'the end of the time, exclusive' }),
  days: Type.Array(
    Type.Object({ date: Type.String({ format: 'date', description: 'when it happened, in UTC' }), ...figures }),
    {
      description: "days of the account's zone on which something happened; by humans",
    },
  ),
  contents: ShareList('by content'),
  placements: ShareList('by placement'),
})
export type DisplayTimeline = Static<typeof DisplayTimeline>
