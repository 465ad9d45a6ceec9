import { type Static, Type } from 'typebox'
import { int32Id } from '../../lib/int32.ts'
import { nullable } from '../accounts/sending-settings-schemas.ts'
import { ExecutionItem } from '../actions/execution/item-schemas.ts'
import { Footprint, Identification } from '../contacts/records/identification-schemas.ts'
import { ExpirationBody, GivenButtons, givenTexts, PushChannel, Redirection } from './notification-schemas.ts'

export const MAX_ITEMS = 1000

const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })

/** A unicity of one field as a text. */
const OneUnicity = Type.Object({ type: Type.Literal('unicity'), value: Type.String() })

/** Who a message is for: read by receivers.ts, which says what is none. */
export const Receiver = Type.Union([
  Type.Object({ type: Type.Literal('contact'), value: Type.Union([Identification, OneUnicity]) }),
  Type.Object({ type: Type.Literal('subscription'), value: Uuid }),
  Identification,
  OneUnicity,
  Type.Object({
    // With one it is one of those above, or wrong.
    type: Type.Optional(Type.Null()),
    id: Type.Optional(nullable(Type.String())),
    unicity: Type.Optional(nullable(Type.Union([Type.String(), Type.Array(Type.String())]))),
    hash: Type.Optional(nullable(Type.String())),
  }),
])
export type Receiver = Static<typeof Receiver>

/** In place of what the version has. */
const overrides = {
  ...givenTexts,
  buttons: Type.Optional(nullable(GivenButtons)),
  redirection: Type.Optional(Redirection),
  channel: Type.Optional(PushChannel),
}
const Overrides = Type.Object(overrides)
export type Overrides = Static<typeof Overrides>

/** Members with which an item replaces what the version has. */
export const replacing = Object.keys(overrides) as (keyof Overrides)[]

const { related, data, variables, stamp } = ExecutionItem.properties

export const PushRenderItem = Type.Object({
  ...overrides,
  receiver: Type.Optional(nullable(Receiver)),
  recipient: Type.Optional(nullable(Receiver)),
  ...{ related, data, variables, stamp },
})
export type PushRenderItem = Static<typeof PushRenderItem>

export const PushItem = Type.Object({
  ...overrides,
  recipient: Type.Optional(Receiver),
  receiver: Type.Optional(Receiver),
  version: Type.Optional(nullable(Type.String({ description: 'in place of the choice by conditions' }))),
  ...{ related, data, variables, stamp },
  expiration: Type.Optional(nullable(ExpirationBody)),
  urgent: Type.Optional(nullable(Type.Boolean())),
})
export type PushItem = Static<typeof PushItem>
export const PushItems = Type.Array(PushItem, { maxItems: MAX_ITEMS })

export const PushTestItem = Type.Object({
  ...overrides,
  recipient: Type.Union([Type.Object({ type: Type.Literal('segment'), value: Type.Integer(int32Id) }), Receiver]),
  ...{ data, variables },
  expiration: Type.Optional(nullable(ExpirationBody)),
})
export type PushTestItem = Static<typeof PushTestItem>

const RecipientNotFound = Type.Object({ type: Type.Literal('recipient not found'), recipient: Type.Unknown() })
const RelatedNotFound = Type.Object({ type: Type.Literal('related not found'), related: Identification })
const text = nullable(Type.String())

export const PushRenderResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    meta: Type.Object(
      {
        notification: Type.Integer(),
        version: Type.String(),
        application: text,
        subscription: text,
        stamp: Type.Object({ time: Type.Integer(), id: Type.String(), thread: Type.String(), set: Type.String() }),
        channel: text,
        redirection: text,
      },
      { description: 'what it is, and whom it goes to' },
    ),
    render: Type.Object(
      {
        ...{ title: Type.String(), body: Type.String(), icon: text, thumbnail: text, image: text },
        buttons: Type.Array(Type.Object({ title: Type.String(), redirection: text })),
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
    recipient: nullable(
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
