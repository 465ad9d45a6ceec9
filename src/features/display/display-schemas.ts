import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'

export const MAX_DISPLAY_PLACEMENTS = 1000

const Id = Type.String({ description: "the client's, of 1 to 64 characters A-Z a-z 0-9 . _ ~ -, or a uuid" })
const Name = Type.String({ minLength: 1, maxLength: 1000, description: 'the name that people give it' })
const Description = Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], {
  description: 'words that say what it is for',
})
const Active = Type.Boolean({ description: 'for consoles: tags work in either case' })
const NullableDateTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const DateInput = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))
const SiteUrl = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], { description: 'address of the site' })
const PixelSize = Type.Union([Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()], { description: 'pixels' })
const TargetUrl = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'http or https; where the tags of the content lead',
})
const PlacementIds = Type.Array(Type.String(), {
  maxItems: MAX_DISPLAY_PLACEMENTS,
  description: 'ids of the placements where it may be shown; empty: any',
})

const resourceProperties = {
  id: Id,
  name: Name,
  description: Description,
  active: Active,
  creationDate: Type.String({ format: 'date-time', description: 'when it was made, in UTC' }),
  updateDate: Type.String({ format: 'date-time', description: 'when it was changed last, in UTC' }),
}

/** A request: members that the service sets, and the id of a change, are accepted and ignored. */
const bodyProperties = {
  id: Type.Optional(Type.Unknown({ description: 'of a new one: its id; absent or null: a uuid is made' })),
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  active: Type.Optional(Active),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
}

export const DisplayCampaignResource = Type.Object({
  ...resourceProperties,
  startDate: { ...NullableDateTime, description: 'when it begins or began, in UTC' },
  endDate: { ...NullableDateTime, description: 'when it ends or ended, in UTC' },
})
export type DisplayCampaignResource = Static<typeof DisplayCampaignResource>
export const DisplayCampaignBody = Type.Object({
  ...bodyProperties,
  startDate: Type.Optional({ ...DateInput, description: 'when it begins or began, in UTC' }),
  endDate: Type.Optional({ ...DateInput, description: 'when it ends or ended, in UTC' }),
})
export type DisplayCampaignBody = Static<typeof DisplayCampaignBody>

export const DisplayPlacementResource = Type.Object({
  ...resourceProperties,
  site: SiteUrl,
  width: PixelSize,
  height: PixelSize,
})
export type DisplayPlacementResource = Static<typeof DisplayPlacementResource>
export const DisplayPlacementBody = Type.Object({
  ...bodyProperties,
  site: Type.Optional(SiteUrl),
  width: Type.Optional(PixelSize),
  height: Type.Optional(PixelSize),
})
export type DisplayPlacementBody = Static<typeof DisplayPlacementBody>

export const DisplayContentResource = Type.Object({
  ...resourceProperties,
  campaign: Id,
  url: TargetUrl,
  placements: PlacementIds,
})
export type DisplayContentResource = Static<typeof DisplayContentResource>
export const DisplayContentBody = Type.Object({
  ...bodyProperties,
  campaign: Type.Optional(Type.String({ description: 'id of the campaign' })),
  url: Type.Optional(TargetUrl),
  placements: Type.Optional(PlacementIds),
})
export type DisplayContentBody = Static<typeof DisplayContentBody>

/** Members that all three have in common. */
export type DisplayResourceBody = Pick<DisplayCampaignBody, 'id' | 'name' | 'description' | 'active'>

export const DisplayTagsQuery = Type.Object({
  placement: Type.String({ minLength: 1, description: 'id of the placement' }),
  contact: Type.Optional(Type.String({ description: 'id of the contact who sees the tag; absent: anybody' })),
})
export type DisplayTagsQuery = Static<typeof DisplayTagsQuery>

export const DisplayTags = Type.Object({
  impression: Type.String({ description: 'address of a picture of one point, to be loaded when the content is shown' }),
  click: Type.String({ description: 'address that leads to the url of the content' }),
  html: Type.String({ description: 'both, ready to be put into a page' }),
})
export type DisplayTags = Static<typeof DisplayTags>
