import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32Limits } from '../../lib/int32.ts'
import { eventTypes } from '../events/kinds/event-kinds.ts'

export const CampaignItemType = Type.Enum(['email', 'sms', 'rcs', 'notification', 'workflow', 'display'])
export type CampaignItemType = Static<typeof CampaignItemType>

const ItemId = Type.Union([Type.String(), Type.Integer(int32Limits)], {
  description: 'email, sms: id of the action; rcs, notification, workflow: a number; display: id of a display campaign',
})

export const CampaignItem = Type.Object({ type: CampaignItemType, id: ItemId })
export type CampaignItem = Static<typeof CampaignItem>

const Name = Type.String({ minLength: 1, maxLength: 1000 })
const Description = Type.Union([Type.String({ maxLength: 4000 }), Type.Null()])
const NullableDateTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const DateInput = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))

export const CampaignResource = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Name,
  description: Description,
  creationDate: Type.String({ format: 'date-time' }),
  updateDate: Type.String({ format: 'date-time' }),
  startDate: NullableDateTime,
  endDate: NullableDateTime,
  items: Type.Array(CampaignItem),
})
export type CampaignResource = Static<typeof CampaignResource>

/** A request: the members the service sets may come back and are passed over. */
export const CampaignBody = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  startDate: DateInput,
  endDate: DateInput,
  items: Type.Optional(Type.Array(CampaignItem)),
  id: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type CampaignBody = Static<typeof CampaignBody>

/** One item, or several. */
export const NewCampaignItems = Type.Union([CampaignItem, Type.Array(CampaignItem)])
export type NewCampaignItems = Static<typeof NewCampaignItems>

const CampaignEventTypeFilter = Type.Object({
  type: Type.Enum([...eventTypes]),
  subtypes: Type.Optional(Type.Array(Type.String(), { description: 'last part of the kind; absent: all' })),
})

const CampaignItemEvents = Type.Object({
  type: CampaignItemType,
  items: Type.Optional(Type.Array(ItemId, { description: 'absent: all items of the type' })),
  events: Type.Optional(Type.Array(CampaignEventTypeFilter, { description: 'absent: all kinds' })),
})

/** The requested events and items. The entries add up. */
export const CampaignEventFilter = Type.Object({
  itemsEvents: Type.Optional(Type.Array(CampaignItemEvents, { description: 'which events of which items' })),
})
export type CampaignEventFilter = Static<typeof CampaignEventFilter>
export type CampaignItemEvents = Static<typeof CampaignItemEvents>
