import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32Limits } from '../../lib/int32.ts'
import { EVENT_TYPES_IN_WORDS, eventTypes } from '../events/kinds/event-kinds.ts'

export const CampaignItemType = Type.Enum(['email', 'sms', 'rcs', 'notification', 'workflow', 'display'], {
  description: 'Type of the item.',
})
export type CampaignItemType = Static<typeof CampaignItemType>

const ItemId = Type.Union([Type.String(), Type.Integer(int32Limits)], {
  description:
    'ID of the item. `email`, `sms`: ID of the action. `rcs`, `notification`, `workflow`: an integer. `display`: ID of the display campaign.',
})

export const CampaignItem = Type.Object({ type: CampaignItemType, id: ItemId })
export type CampaignItem = Static<typeof CampaignItem>

const Name = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Name of the campaign, 1 to 255 characters after trimming; need not be unique.',
})
const Description = Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], {
  description: 'Description of the campaign, for users.',
})
const NullableDateTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const DateInput = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))

export const CampaignResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the campaign.' }),
  name: Name,
  description: Description,
  creationDate: Type.String({ format: 'date-time', description: 'Time of creation, in UTC.' }),
  updateDate: Type.String({ format: 'date-time', description: 'Time of the last change, in UTC.' }),
  startDate: {
    ...NullableDateTime,
    description: 'Start of the campaign, in UTC; for information only. Null: not set.',
  },
  endDate: { ...NullableDateTime, description: 'End of the campaign, in UTC; for information only. Null: not set.' },
  items: Type.Array(CampaignItem, { description: 'Items, in their order; at most 500.' }),
})
export type CampaignResource = Static<typeof CampaignResource>

/** A request: the members the service sets may come back and are passed over. */
export const CampaignBody = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  startDate: Type.Optional({
    ...DateInput,
    description: 'Start of the campaign; for information only. ISO 8601, or milliseconds since 1970. Null: not set.',
  }),
  endDate: Type.Optional({
    ...DateInput,
    description:
      'End of the campaign, not before `startDate`; for information only. ISO 8601, or milliseconds since 1970. Null: not set.',
  }),
  items: Type.Optional(Type.Array(CampaignItem, { description: 'Items, in their order; at most 500.' })),
  id: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type CampaignBody = Static<typeof CampaignBody>

/** One item, or several. */
export const NewCampaignItems = Type.Union([CampaignItem, Type.Array(CampaignItem)])
export type NewCampaignItems = Static<typeof NewCampaignItems>

const CampaignEventTypeFilter = Type.Object({
  type: Type.Enum([...eventTypes], { description: `Type of the events. ${EVENT_TYPES_IN_WORDS}` }),
  subtypes: Type.Optional(
    Type.Array(Type.String(), { description: 'Subtypes: the last part of the kind, such as `open`. Absent: all.' }),
  ),
})

const CampaignItemEvents = Type.Object({
  type: CampaignItemType,
  items: Type.Optional(Type.Array(ItemId, { description: 'IDs of items of the type. Absent: all.' })),
  events: Type.Optional(Type.Array(CampaignEventTypeFilter, { description: 'Events to return. Absent: all.' })),
})

/** The requested events and items. The entries add up. */
export const CampaignEventFilter = Type.Object({
  itemsEvents: Type.Optional(
    Type.Array(CampaignItemEvents, {
      description: 'Entries of the filter; an event is returned if it matches any of them. Absent: all events.',
    }),
  ),
})
export type CampaignEventFilter = Static<typeof CampaignEventFilter>
export type CampaignItemEvents = Static<typeof CampaignItemEvents>
