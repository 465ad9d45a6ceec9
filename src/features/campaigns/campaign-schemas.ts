import { type Static, Type } from 'typebox'
import { passedOver } from '../../lib/errors/passed-over.ts'
import { int32 } from '../../lib/int32.ts'
import { eventTypes } from '../events/kinds/event-kinds.ts'

export const ItemType = Type.Enum(['email', 'sms', 'rcs', 'notification', 'workflow', 'display'])
export type ItemType = Static<typeof ItemType>

const ItemId = Type.Union([Type.String(), Type.Integer(int32)], {
  description: 'email, sms: id of the action; rcs, notification, workflow: a number; display: id of a display campaign',
})

export const Item = Type.Object({ type: ItemType, id: ItemId })
export type Item = Static<typeof Item>

const Name = Type.String({ minLength: 1, maxLength: 1000 })
const Description = Type.Union([Type.String({ maxLength: 4000 }), Type.Null()])
const Shown = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const Given = Type.Optional(Type.Union([Type.String(), Type.Integer(), Type.Null()]))

export const Campaign = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Name,
  description: Description,
  creationDate: Type.String({ format: 'date-time' }),
  updateDate: Type.String({ format: 'date-time' }),
  startDate: Shown,
  endDate: Shown,
  items: Type.Array(Item),
})
export type Campaign = Static<typeof Campaign>

/** A request: the members the service sets may come back and are passed over. */
export const CampaignBody = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  startDate: Given,
  endDate: Given,
  items: Type.Optional(Type.Array(Item)),
  id: passedOver,
  creationDate: passedOver,
  updateDate: passedOver,
})
export type CampaignBody = Static<typeof CampaignBody>

/** One item, or several. */
export const NewItems = Type.Union([Item, Type.Array(Item)])
export type NewItems = Static<typeof NewItems>

const EventFilter = Type.Object({
  type: Type.Enum([...eventTypes]),
  subtypes: Type.Optional(Type.Array(Type.String(), { description: 'last part of the kind; absent: all' })),
})

const ItemsEvents = Type.Object({
  type: ItemType,
  items: Type.Optional(Type.Array(ItemId, { description: 'absent: all items of the type' })),
  events: Type.Optional(Type.Array(EventFilter, { description: 'absent: all kinds' })),
})

/** Which events of which items are wanted: the entries add up. */
export const CampaignFilter = Type.Object({
  itemsEvents: Type.Optional(Type.Array(ItemsEvents, { description: 'which events of which items' })),
})
export type CampaignFilter = Static<typeof CampaignFilter>
export type ItemsEvents = Static<typeof ItemsEvents>
