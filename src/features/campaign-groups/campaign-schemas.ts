import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32Limits } from '../../lib/int32.ts'
import { eventTypes } from '../events/kinds/event-kinds.ts'

export const CampaignItemType = Type.Enum(['email', 'sms', 'rcs', 'notification', 'workflow', 'display'], {
  description: 'which of the possible kinds it is',
})
export type CampaignItemType = Static<typeof CampaignItemType>

const ItemId = Type.Union([Type.String(), Type.Integer(int32Limits)], {
  description: 'email, sms: id of the action; rcs, notification, workflow: a number; display: id of a display campaign',
})

export const CampaignItem = Type.Object({ type: CampaignItemType, id: ItemId })
export type CampaignItem = Static<typeof CampaignItem>

const Name = Type.String({ minLength: 1, maxLength: 1000, description: 'the name that people give it' })
const Description = Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], {
  description: 'words that say what it is for',
})
const NullableDateTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const DateInput = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))

export const CampaignResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  name: Name,
  description: Description,
  creationDate: Type.String({ format: 'date-time', description: 'when it was made, in UTC' }),
  updateDate: Type.String({ format: 'date-time', description: 'when it was changed last, in UTC' }),
  startDate: { ...NullableDateTime, description: 'when it begins or began, in UTC' },
  endDate: { ...NullableDateTime, description: 'when it ends or ended, in UTC' },
  items: Type.Array(CampaignItem, { description: 'the items, in their order' }),
})
export type CampaignResource = Static<typeof CampaignResource>

/** A request: the members the service sets may come back and are passed over. */
export const CampaignBody = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  startDate: Type.Optional({ ...DateInput, description: 'when it begins or began, in UTC' }),
  endDate: Type.Optional({ ...DateInput, description: 'when it ends or ended, in UTC' }),
  items: Type.Optional(Type.Array(CampaignItem, { description: 'the items, in their order' })),
  id: ignoredMemberSchema,
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type CampaignBody = Static<typeof CampaignBody>

/** One item, or several. */
export const NewCampaignItems = Type.Union([CampaignItem, Type.Array(CampaignItem)])
export type NewCampaignItems = Static<typeof NewCampaignItems>

const CampaignEventTypeFilter = Type.Object({
  type: Type.Enum([...eventTypes], { description: 'which of the possible kinds it is' }),
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
