import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'

export const MAX_DISPLAY_PLACEMENTS = 1000

const Id = Type.String({
  description:
    'ID of the object: chosen by the client (1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`), or a generated UUID.',
})
const Name = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Name of the object, 1 to 255 characters after trimming.',
})
const Description = Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], {
  description: 'Description of the object, for users.',
})
const Active = Type.Boolean({ description: 'True: in use. For information only: tags work in either case.' })
const NullableDateTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const DateInput = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))
const SiteUrl = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
  description: 'Address of the site. Null: not set.',
})
const PixelSize = Type.Union([Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()], {
  description: 'Size in pixels. Null: not set.',
})
const TargetUrl = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'Target of the click tag (http or https).',
})
const PlacementIds = Type.Array(Type.String(), {
  maxItems: MAX_DISPLAY_PLACEMENTS,
  description: 'IDs of the placements where the content may be displayed. Empty: any.',
})

const resourceProperties = {
  id: Id,
  name: Name,
  description: Description,
  active: Active,
  creationDate: Type.String({ format: 'date-time', description: 'Time of creation, in UTC.' }),
  updateDate: Type.String({ format: 'date-time', description: 'Time of the last change, in UTC.' }),
}

/** A request: members that the service sets, and the id of a change, are accepted and ignored. */
const bodyProperties = {
  id: Type.Optional(
    Type.Unknown({
      description:
        'ID at creation: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ -`. Absent or null: a UUID is generated. Ignored in changes.',
    }),
  ),
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  active: Type.Optional(Active),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
}

export const DisplayCampaignResource = Type.Object({
  ...resourceProperties,
  startDate: { ...NullableDateTime, description: 'Start of the campaign, in UTC. Null: not set.' },
  endDate: { ...NullableDateTime, description: 'End of the campaign, in UTC. Null: not set.' },
})
export type DisplayCampaignResource = Static<typeof DisplayCampaignResource>
export const DisplayCampaignBody = Type.Object({
  ...bodyProperties,
  startDate: Type.Optional({
    ...DateInput,
    description: 'Start of the campaign. ISO 8601, or milliseconds since 1970. Null: not set.',
  }),
  endDate: Type.Optional({
    ...DateInput,
    description: 'End of the campaign, not before `startDate`. ISO 8601, or milliseconds since 1970. Null: not set.',
  }),
})
export type DisplayCampaignBody = Static<typeof DisplayCampaignBody>

export const DisplayPlacementResource = Type.Object({
  ...resourceProperties,
  site: SiteUrl,
  width: { ...PixelSize, description: 'Width in pixels. Null: not set.' },
  height: { ...PixelSize, description: 'Height in pixels. Null: not set.' },
})
export type DisplayPlacementResource = Static<typeof DisplayPlacementResource>
export const DisplayPlacementBody = Type.Object({
  ...bodyProperties,
  site: Type.Optional(SiteUrl),
  width: Type.Optional({ ...PixelSize, description: 'Width in pixels. Null: not set.' }),
  height: Type.Optional({ ...PixelSize, description: 'Height in pixels. Null: not set.' }),
})
export type DisplayPlacementBody = Static<typeof DisplayPlacementBody>

export const DisplayContentResource = Type.Object({
  ...resourceProperties,
  campaign: { ...Id, description: 'ID of the display campaign.' },
  url: TargetUrl,
  placements: PlacementIds,
})
export type DisplayContentResource = Static<typeof DisplayContentResource>
export const DisplayContentBody = Type.Object({
  ...bodyProperties,
  campaign: Type.Optional(Type.String({ description: 'ID of the display campaign. Required at creation.' })),
  url: Type.Optional(TargetUrl),
  placements: Type.Optional(PlacementIds),
})
export type DisplayContentBody = Static<typeof DisplayContentBody>

/** Members that all three have in common. */
export type DisplayResourceBody = Pick<DisplayCampaignBody, 'id' | 'name' | 'description' | 'active'>

export const DisplayTagsQuery = Type.Object({
  placement: Type.String({ minLength: 1, description: 'ID of the placement.' }),
  contact: Type.Optional(
    Type.String({
      description: 'ID of the contact the impressions and clicks are recorded for. Absent: an unknown visitor.',
    }),
  ),
})
export type DisplayTagsQuery = Static<typeof DisplayTagsQuery>

export const DisplayTags = Type.Object({
  impression: Type.String({
    description: 'URL of a picture of one pixel that records an impression when the content is displayed.',
  }),
  click: Type.String({ description: 'URL that records a click and leads to the `url` of the content.' }),
  html: Type.String({ description: 'HTML with both tags, to insert into a page.' }),
})
export type DisplayTags = Static<typeof DisplayTags>
