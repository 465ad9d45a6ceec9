import { type Static, Type } from 'typebox'
import { int32IdLimits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { ActionExecutionItem } from '../actions/execution/item-schemas.ts'
import { ContactIdentification, Footprint } from '../contacts/records/identification-schemas.ts'
import {
  NotificationButtonBodies,
  PushChannel,
  PushExpirationBody,
  PushRedirection,
  pushTextBodyMembers,
} from './notification-schemas.ts'

export const MAX_PUSH_ITEMS = 1000

const UuidSchema = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })

/** A unicity of one field as a text. */
const UnicitySchema = Type.Object({ type: Type.Literal('unicity'), value: Type.String() })

/** Recipient of a message; `receivers.ts` parses it and reports invalid ones. */
export const PushReceiver = Type.Union([
  Type.Object({ type: Type.Literal('contact'), value: Type.Union([ContactIdentification, UnicitySchema]) }),
  Type.Object({ type: Type.Literal('subscription'), value: UuidSchema }),
  ContactIdentification,
  UnicitySchema,
  Type.Object({
    // With one it is one of those above, or wrong.
    type: Type.Optional(Type.Null()),
    id: Type.Optional(nullableSchema(Type.String())),
    unicity: Type.Optional(nullableSchema(Type.Union([Type.String(), Type.Array(Type.String())]))),
    hash: Type.Optional(nullableSchema(Type.String())),
  }),
])
export type PushReceiver = Static<typeof PushReceiver>

/** In place of what the version has. */
const overrideMembers = {
  ...pushTextBodyMembers,
  buttons: Type.Optional(nullableSchema(NotificationButtonBodies)),
  redirection: Type.Optional(PushRedirection),
  channel: Type.Optional(PushChannel),
}
const PushOverrides = Type.Object(overrideMembers)
export type PushOverrides = Static<typeof PushOverrides>

/** Members with which an item replaces what the version has. */
export const pushOverrideMembers = Object.keys(overrideMembers) as (keyof PushOverrides)[]

const { related, data, variables, stamp } = ActionExecutionItem.properties

export const PushRenderItem = Type.Object({
  ...overrideMembers,
  receiver: Type.Optional(nullableSchema(PushReceiver)),
  recipient: Type.Optional(nullableSchema(PushReceiver)),
  ...{ related, data, variables, stamp },
})
export type PushRenderItem = Static<typeof PushRenderItem>

export const PushItem = Type.Object({
  ...overrideMembers,
  recipient: Type.Optional(PushReceiver),
  receiver: Type.Optional(PushReceiver),
  version: Type.Optional(nullableSchema(Type.String({ description: 'in place of the choice by conditions' }))),
  ...{ related, data, variables, stamp },
  expiration: Type.Optional(nullableSchema(PushExpirationBody)),
  urgent: Type.Optional(nullableSchema(Type.Boolean())),
})
export type PushItem = Static<typeof PushItem>
export const PushItems = Type.Array(PushItem, { maxItems: MAX_PUSH_ITEMS })

export const PushTestItem = Type.Object({
  ...overrideMembers,
  recipient: Type.Union([
    Type.Object({ type: Type.Literal('segment'), value: Type.Integer(int32IdLimits) }),
    PushReceiver,
  ]),
  ...{ data, variables },
  expiration: Type.Optional(nullableSchema(PushExpirationBody)),
})
export type PushTestItem = Static<typeof PushTestItem>

const RecipientNotFound = Type.Object({ type: Type.Literal('recipient not found'), recipient: Type.Unknown() })
const RelatedNotFound = Type.Object({ type: Type.Literal('related not found'), related: ContactIdentification })
const NullableTextSchema = nullableSchema(Type.String())

export const PushRenderResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    meta: Type.Object(
      {
        notification: Type.Integer(),
        version: Type.String(),
        application: NullableTextSchema,
        subscription: NullableTextSchema,
        stamp: Type.Object({ time: Type.Integer(), id: Type.String(), thread: Type.String(), set: Type.String() }),
        channel: NullableTextSchema,
        redirection: NullableTextSchema,
      },
      { description: 'what it is, and whom it goes to' },
    ),
    render: Type.Object(
      {
        ...{
          title: Type.String(),
          body: Type.String(),
          icon: NullableTextSchema,
          thumbnail: NullableTextSchema,
          image: NullableTextSchema,
        },
        buttons: Type.Array(Type.Object({ title: Type.String(), redirection: NullableTextSchema })),
      },
      { description: 'what the device shows' },
    ),
    tracking: Type.Object(
      {
        ...{
          radical: Type.String({ description: 'what each of the addresses begins with' }),
          impression: Type.String({ description: 'called when it is shown' }),
          redirection: Type.String({ description: 'called when it is tapped' }),
          dismiss: Type.String({ description: 'called when it is put away' }),
        },
        optout: Type.Object(
          { global: Type.String(), channel: Type.String() },
          { description: 'called when the person wants no more' },
        ),
      },
      { description: 'addresses that the device calls: the radical, then one of the others' },
    ),
  }),
  Type.Object({
    type: Type.Literal('error'),
    value: Type.Union([
      RecipientNotFound,
      RelatedNotFound,
      Type.Object({ type: Type.Literal('render'), message: Type.String(), pointer: Type.String() }),
      Type.Object({ type: Type.Literal('cancelled'), message: Type.String() }),
    ]),
  }),
])
export type PushRenderResult = Static<typeof PushRenderResult>

export const PushResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    id: Type.String({ description: 'stamp id' }),
    recipient: nullableSchema(
      Type.Union([
        Footprint,
        Type.Object({ type: Type.Literal('subscription'), value: Type.String() }),
        Type.Object({ type: Type.Literal('id'), value: Type.String() }),
      ]),
    ),
  }),
  Type.Object({
    type: Type.Literal('error'),
    value: Type.Union([
      RecipientNotFound,
      RelatedNotFound,
      Type.Object({ type: Type.Literal('data'), message: Type.String() }),
    ]),
  }),
])
export type PushResult = Static<typeof PushResult>
