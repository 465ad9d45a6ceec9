import { type Static, Type } from 'typebox'
import { DisplayCampaignResource } from './display-schemas.ts'

const Reactions = Type.Object({
  human: Type.Integer({ description: 'Number by people.' }),
  machine: Type.Integer({ description: 'Number by robots.' }),
  contacts: Type.Integer({ description: 'Number of different known contacts among the people.' }),
})

/** Results of a display campaign, from the stored summaries: they trail the events by a moment at most. */
export const DisplayReport = Type.Object({
  impressions: { ...Reactions, description: 'Impressions.' },
  clicks: { ...Reactions, description: 'Clicks.' },
})
export type DisplayReport = Static<typeof DisplayReport>

export const DisplayCampaignQuery = Type.Object({
  report: Type.Optional(Type.Boolean({ description: 'Include a report with each display campaign. Default: false.' })),
})

export const ListedDisplayCampaign = Type.Object({
  ...DisplayCampaignResource.properties,
  report: Type.Optional({ ...DisplayReport, description: 'Results of the display campaign.' }),
})

export const DisplayTimelineQuery = Type.Object({
  start: Type.Optional(
    Type.String({
      description:
        'Start of the period, inclusive. ISO 8601, or milliseconds since 1970. Default: 30 days before `end`.',
    }),
  ),
  end: Type.Optional(
    Type.String({
      description:
        'End of the period, exclusive, at most 92 days after `start`. ISO 8601, or milliseconds since 1970. Default: now.',
    }),
  ),
})
export type DisplayTimelineQuery = Static<typeof DisplayTimelineQuery>

const figures = {
  impressions: Type.Integer({ description: 'Number of impressions by people.' }),
  clicks: Type.Integer({ description: 'Number of clicks by people.' }),
}
const ShareList = (listDescription: string) =>
  Type.Array(Type.Object({ id: Type.String({ description: 'ID of the content or placement.' }), ...figures }), {
    description: `${listDescription}, with the most impressions first. People only.`,
  })

/** A display campaign in all, and in a period. */
export const DisplayTimeline = Type.Object({
  ...DisplayReport.properties,
  start: Type.String({ format: 'date-time', description: 'Start of the period, inclusive, in UTC.' }),
  end: Type.String({ format: 'date-time', description: 'End of the period, exclusive, in UTC.' }),
  days: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date', description: 'Date in the time zone of the account.' }),
      ...figures,
    }),
    {
      description: 'Results by day; days without any are left out. People only.',
    },
  ),
  contents: ShareList('Results by content'),
  placements: ShareList('Results by placement'),
})
export type DisplayTimeline = Static<typeof DisplayTimeline>
