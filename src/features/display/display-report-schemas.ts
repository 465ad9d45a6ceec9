import { type Static, Type } from 'typebox'
import { DisplayCampaignResource } from './display-schemas.ts'

const Reactions = Type.Object({
  human: Type.Integer(),
  machine: Type.Integer({ description: 'robots' }),
  contacts: Type.Integer({ description: 'different known contacts behind the former' }),
})

/** What a display campaign came to, from the kept summaries: they trail the events by no more than a moment. */
export const DisplayReport = Type.Object({ impressions: Reactions, clicks: Reactions })
export type DisplayReport = Static<typeof DisplayReport>

export const DisplayCampaignQuery = Type.Object({
  report: Type.Optional(Type.Boolean({ description: 'true: each has its report' })),
})

export const ListedDisplayCampaign = Type.Object({
  ...DisplayCampaignResource.properties,
  report: Type.Optional(DisplayReport),
})

export const DisplayTimelineQuery = Type.Object({
  start: Type.Optional(
    Type.String({ description: 'of days, contents and placements; 30 days before the end by default' }),
  ),
  end: Type.Optional(Type.String({ description: 'now by default; at most 92 days after the start' })),
})
export type DisplayTimelineQuery = Static<typeof DisplayTimelineQuery>

const Figures = { impressions: Type.Integer(), clicks: Type.Integer() }
const Shares = (what: string) =>
  Type.Array(Type.Object({ id: Type.String(), ...Figures }), {
    description: `${what}, the most shown first; by humans`,
  })

/** A display campaign in all, and in a period. */
export const DisplayTimeline = Type.Object({
  ...DisplayReport.properties,
  start: Type.String({ format: 'date-time' }),
  end: Type.String({ format: 'date-time' }),
  days: Type.Array(Type.Object({ date: Type.String({ format: 'date' }), ...Figures }), {
    description: "days of the account's zone on which something happened; by humans",
  }),
  contents: Shares('by content'),
  placements: Shares('by placement'),
})
export type DisplayTimeline = Static<typeof DisplayTimeline>
