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
  value: Type.String({ description: 'Concatenated unicity of the contact.' }),
})

/** Recipient of a message; `receivers.ts` parses it and reports invalid ones. */
export const PushReceiver = Type.Union([
  Type.Object({
    type: buildTypeTag('contact'),
    value: Type.Union([ContactIdentification, UnicitySchema], { description: 'Identification of the contact.' }),
  }),
  Type.Object({
    type: buildTypeTag('subscription'),
    value: { ...UuidSchema, description: 'ID of the subscription: one device.' },
  }),
  ContactIdentification,
  UnicitySchema,
  Type.Object({
    // With one it is one of those above, or wrong.
    type: Type.Optional(
      Type.Null({
        description: 'Absent or null: the first of `id`, `unicity` and `hash` that is given identifies the contact.',
      }),
    ),
    id: Type.Optional(nullableSchema(Type.String({ description: 'ID of the contact.' }))),
    unicity: Type.Optional({
      ...nullableSchema(Type.Union([Type.String(), Type.Array(Type.String())])),
      description: 'Concatenated unicity of the contact, or an array with one value per unicity field.',
    }),
    hash: Type.Optional(
      nullableSchema(Type.String({ description: 'MD5 of the concatenated unicity: 32 hexadecimal digits.' })),
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
  receiver: Type.Optional({
    ...nullableSchema(PushReceiver),
    description: 'Contact or device to render the message for. Absent or null: an empty contact.',
  }),
  recipient: Type.Optional({
    ...nullableSchema(PushReceiver),
    description: 'Same as `receiver`, which takes precedence.',
  }),
  related,
  data,
  variables,
  stamp,
})
export type PushRenderItem = Static<typeof PushRenderItem>

export const PushItem = Type.Object({
  ...overrideMembers,
  recipient: Type.Optional({ ...PushReceiver, description: 'Contact or device that receives the message.' }),
  receiver: Type.Optional({ ...PushReceiver, description: 'Same as `recipient`, which takes precedence.' }),
  version: Type.Optional(
    nullableSchema(
      Type.String({
        description:
          'ID of the version to send, in place of the choice by conditions. Absent or null: the conditions ' +
          'choose.',
      }),
    ),
  ),
  related,
  data,
  variables,
  stamp,
  expiration: Type.Optional({
    ...nullableSchema(PushExpirationBody),
    description:
      'Period or date after which the message is no longer delivered. Absent or null: the setting of the ' +
      'notification.',
  }),
  urgent: Type.Optional(
    nullableSchema(
      Type.Boolean({ description: 'True: sent with high priority. Absent or null: the setting of the notification.' }),
    ),
  ),
})
export type PushItem = Static<typeof PushItem>
export const PushItems = Type.Array(PushItem, { maxItems: MAX_PUSH_ITEMS })

export const PushTestItem = Type.Object({
  ...overrideMembers,
  recipient: Type.Union(
    [
      Type.Object({
        type: buildTypeTag('segment'),
        value: Type.Integer({
          ...int32IdLimits,
          description: 'ID of a test segment whose contacts receive the message.',
        }),
      }),
      PushReceiver,
    ],
    { description: 'Test segment, contact or device that receives the message.' },
  ),
  data,
  variables,
  expiration: Type.Optional({
    ...nullableSchema(PushExpirationBody),
    description:
      'Period or date after which the message is no longer delivered. Absent or null: the setting of the ' +
      'notification.',
  }),
})
export type PushTestItem = Static<typeof PushTestItem>

const RecipientNotFound = Type.Object({
  type: buildTypeTag('recipient not found'),
  recipient: Type.Unknown({ description: 'Recipient as in the request.' }),
})
const RelatedNotFound = Type.Object({
  type: buildTypeTag('related not found'),
  related: { ...ContactIdentification, description: 'Related contact as in the request.' },
})
const NullableTextSchema = nullableSchema(Type.String())

export const PushRenderResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    meta: Type.Object(
      {
        notification: Type.Integer({ description: 'ID of the notification.' }),
        version: Type.String({ description: 'ID of the version.' }),
        application: { ...NullableTextSchema, description: 'ID of the application. Null: not set.' },
        subscription: {
          ...NullableTextSchema,
          description: 'ID of the subscription: the device. Null: the contact has none.',
        },
        stamp: Type.Object(
          {
            time: Type.Integer({ description: 'Time in milliseconds since 1970.' }),
            id: Type.String({ description: 'ID of the message, which all its events refer to.' }),
            thread: Type.String({ description: 'ID of the thread.' }),
            set: Type.String({ description: 'ID of the batch: one request, or one run.' }),
          },
          { description: 'Identifiers of the message.' },
        ),
        channel: { ...NullableTextSchema, description: 'Channel of the device. Null: the default channel of the app.' },
        redirection: { ...NullableTextSchema, description: 'Address that a tap opens. Null: none.' },
      },
      { description: 'Identifiers and settings of the message.' },
    ),
    render: Type.Object(
      {
        title: Type.String({ description: 'Title.' }),
        body: Type.String({ description: 'Text of the message, plain.' }),
        icon: {
          ...NullableTextSchema,
          description: 'Address of the icon, or the name of a resource of the app. Null: none.',
        },
        thumbnail: {
          ...NullableTextSchema,
          description: 'Address of the thumbnail, or the name of a resource of the app. Null: none.',
        },
        image: {
          ...NullableTextSchema,
          description: 'Address of the image, or the name of a resource of the app. Null: none.',
        },
        buttons: Type.Array(
          Type.Object({
            title: Type.String({ description: 'Text of the button.' }),
            redirection: { ...NullableTextSchema, description: 'Address that a tap on the button opens. Null: none.' },
          }),
          { description: 'Buttons below the text.' },
        ),
      },
      { description: 'Texts, images and buttons that the device shows.' },
    ),
    tracking: Type.Object(
      {
        radical: Type.String({ description: 'Start of every tracking address.' }),
        impression: Type.String({ description: 'Token of the address to call when the message is shown.' }),
        redirection: Type.String({ description: 'Token of the address to call when the message is tapped.' }),
        dismiss: Type.String({ description: 'Token of the address to call when the message is dismissed.' }),
        optout: Type.Object(
          {
            global: Type.String({
              description: 'Token of the address to call when the user mutes all messages of the application.',
            }),
            channel: Type.String({ description: 'Token of the address to call when the user mutes the channel.' }),
          },
          { description: 'Tokens of the addresses to call when the user mutes messages.' },
        ),
      },
      { description: 'Tracking addresses that the app calls: `radical` followed by one of the tokens.' },
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
          message: Type.String({ description: 'Explanation of the error.' }),
          pointer: Type.String({ description: 'Place of the error in the notification, as a JSON Pointer.' }),
        }),
        Type.Object({
          type: buildTypeTag('cancelled'),
          message: Type.String({ description: 'Explanation of the cancellation.' }),
        }),
      ],
      { description: 'The error.' },
    ),
  }),
])
export type PushRenderResult = Static<typeof PushRenderResult>

export const PushResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    id: Type.String({ description: 'ID of the message, which all its events refer to.' }),
    recipient: {
      ...nullableSchema(
        Type.Union([
          Footprint,
          Type.Object({
            type: buildTypeTag('subscription'),
            value: Type.String({ description: 'ID of the subscription.' }),
          }),
          Type.Object({
            type: buildTypeTag('id'),
            value: Type.String({ description: 'ID of the contact.' }),
          }),
        ]),
      ),
      description: 'Contact or device that receives the message.',
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
          message: Type.String({ description: 'Explanation of the error.' }),
        }),
      ],
      { description: 'The error.' },
    ),
  }),
])
export type PushResult = Static<typeof PushResult>
