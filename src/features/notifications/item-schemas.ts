import { type Static, Type } from 'typebox'
import { int32IdLimits } from '../../lib/int32.ts'
import { buildTypeTag } from '../../lib/type-tags.ts'
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
const UnicitySchema = Type.Object({
  type: buildTypeTag('unicity'),
  value: Type.String({ description: 'the value itself' }),
})

/** Recipient of a message; `receivers.ts` parses it and reports invalid ones. */
export const PushReceiver = Type.Union([
  Type.Object({
    type: buildTypeTag('contact'),
    value: Type.Union([ContactIdentification, UnicitySchema], { description: 'the value itself' }),
  }),
  Type.Object({
    type: buildTypeTag('subscription'),
    value: { ...UuidSchema, description: 'the value itself' },
  }),
  ContactIdentification,
  UnicitySchema,
  Type.Object({
    // With one it is one of those above, or wrong.
    type: Type.Optional(Type.Null({ description: 'which of the possible kinds it is' })),
    id: Type.Optional(nullableSchema(Type.String({ description: 'what names it in this account' }))),
    unicity: Type.Optional({
      ...nullableSchema(Type.Union([Type.String(), Type.Array(Type.String())])),
      description: 'the values of the unicity fields',
    }),
    hash: Type.Optional(
      nullableSchema(Type.String({ description: 'MD5 of the concatenated unicity, 32 hexadecimal digits' })),
    ),
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
  receiver: Type.Optional({ ...nullableSchema(PushReceiver), description: 'the contact that it is for' }),
  recipient: Type.Optional({ ...nullableSchema(PushReceiver), description: 'the contact that it is for' }),
  related,
  data,
  variables,
  stamp,
})
export type PushRenderItem = Static<typeof PushRenderItem>

export const PushItem = Type.Object({
  ...overrideMembers,
  recipient: Type.Optional({ ...PushReceiver, description: 'the contact that it is for' }),
  receiver: Type.Optional({ ...PushReceiver, description: 'the contact that it is for' }),
  version: Type.Optional(nullableSchema(Type.String({ description: 'in place of the choice by conditions' }))),
  related,
  data,
  variables,
  stamp,
  expiration: Type.Optional({
    ...nullableSchema(PushExpirationBody),
    description: 'how long it may still be delivered',
  }),
  urgent: Type.Optional(nullableSchema(Type.Boolean({ description: 'whether it goes before others' }))),
})
export type PushItem = Static<typeof PushItem>
export const PushItems = Type.Array(PushItem, { maxItems: MAX_PUSH_ITEMS })

export const PushTestItem = Type.Object({
  ...overrideMembers,
  recipient: Type.Union(
    [
      Type.Object({
        type: buildTypeTag('segment'),
        value: Type.Integer({ ...int32IdLimits, description: 'the value itself' }),
      }),
      PushReceiver,
    ],
    { description: 'the contact that it is for' },
  ),
  data,
  variables,
  expiration: Type.Optional({
    ...nullableSchema(PushExpirationBody),
    description: 'how long it may still be delivered',
  }),
})
export type PushTestItem = Static<typeof PushTestItem>

const RecipientNotFound = Type.Object({
  type: buildTypeTag('recipient not found'),
  recipient: Type.Unknown({ description: 'the contact that it is for' }),
})
const RelatedNotFound = Type.Object({
  type: buildTypeTag('related not found'),
  related: { ...ContactIdentification, description: 'the contact that templates read as `related`' },
})
const NullableTextSchema = nullableSchema(Type.String())

export const PushRenderResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    meta: Type.Object(
      {
        notification: Type.Integer({ description: 'id of the notification' }),
        version: Type.String({ description: 'which version it is' }),
        application: { ...NullableTextSchema, description: 'id of the application' },
        subscription: { ...NullableTextSchema, description: 'id of the subscription' },
        stamp: Type.Object(
          {
            time: Type.Integer({ description: 'milliseconds since 1970' }),
            id: Type.String({ description: 'what names it in this account' }),
            thread: Type.String({ description: 'what names one conversation or send' }),
            set: Type.String({ description: 'id of the batch: a request, or a run' }),
          },
          { description: 'what names one send' },
        ),
        channel: { ...NullableTextSchema, description: 'the channel that it is sent by' },
        redirection: { ...NullableTextSchema, description: 'address that a tap leads to' },
      },
      { description: 'what it is, and whom it goes to' },
    ),
    render: Type.Object(
      {
        title: Type.String({ description: 'the words at its top' }),
        body: Type.String({ description: 'the text, plain' }),
        icon: { ...NullableTextSchema, description: 'address of a small picture' },
        thumbnail: { ...NullableTextSchema, description: 'address of a picture' },
        image: { ...NullableTextSchema, description: 'address of a picture' },
        buttons: Type.Array(
          Type.Object({
            title: Type.String({ description: 'the words at its top' }),
            redirection: { ...NullableTextSchema, description: 'address that a tap leads to' },
          }),
          { description: 'buttons under the text' },
        ),
      },
      { description: 'what the device shows' },
    ),
    tracking: Type.Object(
      {
        radical: Type.String({ description: 'what each of the addresses begins with' }),
        impression: Type.String({ description: 'called when it is shown' }),
        redirection: Type.String({ description: 'called when it is tapped' }),
        dismiss: Type.String({ description: 'called when it is put away' }),
        optout: Type.Object(
          {
            global: Type.String({ description: 'called when no push of the application is wanted' }),
            channel: Type.String({ description: 'called when no push of the channel is wanted' }),
          },
          { description: 'called when the person wants no more' },
        ),
      },
      { description: 'addresses that the device calls: the radical, then one of the others' },
    ),
  }),
  Type.Object({
    type: buildTypeTag('error'),
    value: Type.Union(
      [
        RecipientNotFound,
        RelatedNotFound,
        Type.Object({
          type: buildTypeTag('render'),
          message: Type.String({ description: 'what is wrong, in words' }),
          pointer: Type.String({ description: 'a JSON Pointer to the place, or the name of a parameter' }),
        }),
        Type.Object({
          type: buildTypeTag('cancelled'),
          message: Type.String({ description: 'what is wrong, in words' }),
        }),
      ],
      { description: 'the value itself' },
    ),
  }),
])
export type PushRenderResult = Static<typeof PushRenderResult>

export const PushResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    id: Type.String({ description: 'stamp id' }),
    recipient: {
      ...nullableSchema(
        Type.Union([
          Footprint,
          Type.Object({
            type: buildTypeTag('subscription'),
            value: Type.String({ description: 'the value itself' }),
          }),
          Type.Object({
            type: buildTypeTag('id'),
            value: Type.String({ description: 'the value itself' }),
          }),
        ]),
      ),
      description: 'the contact that it is for',
    },
  }),
  Type.Object({
    type: buildTypeTag('error'),
    value: Type.Union(
      [
        RecipientNotFound,
        RelatedNotFound,
        Type.Object({
          type: buildTypeTag('data'),
          message: Type.String({ description: 'what is wrong, in words' }),
        }),
      ],
      { description: 'the value itself' },
    ),
  }),
])
export type PushResult = Static<typeof PushResult>
