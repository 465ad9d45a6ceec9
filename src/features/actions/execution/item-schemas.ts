import { type Static, type TSchema, Type } from 'typebox'
import type { ContentOverride } from '../../../channels/channel.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ContactIdentification, Footprint } from '../../contacts/records/identification-schemas.ts'
import { ActionSender } from '../resource/action-schemas.ts'
import { TemplateVariable } from '../validation/validation-schemas.ts'

/** Items of one request at most. */
export const MAX_EXECUTION_ITEMS = 1000
const LATEST_INSTANT_MS = Date.parse('9999-12-31T23:59:59.999Z')

export const optionalOrNull = <T extends TSchema>(schema: T) => Type.Optional(nullableSchema(schema))

const UuidSchema = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const PartSchema = nullableSchema(Type.String({ maxLength: 1_000_000 }))
const TextSchema = Type.String({ maxLength: 998 })
const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown())

/** Recipient of an item of any family, and its template values. */
export const itemRecipientMembers = {
  recipient: Type.Optional(ContactIdentification),
  receiver: Type.Optional(ContactIdentification),
  related: optionalOrNull(ContactIdentification),
  data: optionalOrNull(FreeObjectSchema),
  variables: optionalOrNull(Type.Array(TemplateVariable, { maxItems: 1000 })),
  blocks: optionalOrNull(Type.Array(FreeObjectSchema, { maxItems: 1000 })),
  stamp: optionalOrNull(
    Type.Object({
      id: optionalOrNull(UuidSchema),
      thread: optionalOrNull(UuidSchema),
      set: optionalOrNull(UuidSchema),
      time: optionalOrNull(
        Type.Integer({ minimum: 0, maximum: LATEST_INSTANT_MS, description: 'milliseconds since 1970' }),
      ),
    }),
  ),
}

/** Input of a send or a render, in addition to the action. */
const sharedItemMembers = {
  ...itemRecipientMembers,
  headers: optionalOrNull(
    Type.Object({
      from: optionalOrNull(ActionSender),
      reply: optionalOrNull(Type.String({ format: 'email', maxLength: 254 })),
    }),
  ),
  subject: optionalOrNull(TextSchema),
  content: optionalOrNull(
    Type.Object({
      type: Type.Optional(Type.Enum(['inline', 'template'])),
      html: Type.Optional(PartSchema),
      text: Type.Optional(PartSchema),
      amp: Type.Optional(PartSchema),
    }),
  ),
}

export const MessageAttachment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^/\\\\\\x00-\\x1f]+$', description: 'without path' }),
  mime: Type.String({
    maxLength: 200,
    pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$',
    description: 'its media type, as in `image/png`',
  }),
  data: Type.Object(
    { type: Type.Enum(['base64', 'url']), value: Type.String() },
    { description: 'its octets in base64, or an https address of them' },
  ),
})
export type MessageAttachment = Static<typeof MessageAttachment>

const MessageCopy = Type.Intersect([
  Type.Union([
    ContactIdentification,
    Type.Object({ type: Type.Literal('address'), value: Type.String({ maxLength: 254 }) }),
  ]),
  Type.Object({
    as: Type.Optional(Type.Enum(['cc', 'bcc'], { description: 'which header names the address; cc by default' })),
  }),
])
export type MessageCopy = Static<typeof MessageCopy>

/** One message to be sent. */
export const ActionExecutionItem = Type.Object({
  ...sharedItemMembers,
  attachments: optionalOrNull(Type.Array(MessageAttachment, { maxItems: 100 })),
  copies: optionalOrNull(
    Type.Array(MessageCopy, { maxItems: 20, description: 'who gets it too, as messages of their own' }),
  ),
  urgent: optionalOrNull(Type.Boolean()),
  important: optionalOrNull(Type.Boolean()),
})
export type ActionExecutionItem = Static<typeof ActionExecutionItem>
export const ActionExecutionItems = Type.Array(ActionExecutionItem, { maxItems: MAX_EXECUTION_ITEMS })

/** Members with which an item replaces what the action has. */
export const actionOverrideMembers = ['content', 'subject', 'headers', 'attachments'] as const

/**
 * An item of any family as it is sent. `brought`: templates in place of the content, in the words of its channel;
 * `waitMs`: how long the message may wait.
 */
export type RequestedItem = ActionExecutionItem & { brought?: ContentOverride; waitMs?: number }

/** One message to be looked at. */
export const ActionRenderItem = Type.Object({
  ...sharedItemMembers,
  context: optionalOrNull(
    Type.Object({
      id: optionalOrNull(Type.String({ description: 'stamp id of a sent message of the action' })),
      recipient: optionalOrNull({ ...TextSchema, description: "address that is shown in place of the contact's" }),
      render: optionalOrNull(Type.Enum([0, 1, 2, 3], { description: '0 all parts, 1 html, 2 text, 3 amp' })),
      display: optionalOrNull(
        Type.Integer({
          minimum: 0,
          maximum: 31,
          description: '1 tracking links, 2 pixel, 4 mirror page, 8 proof, 16 unescaped values',
        }),
      ),
    }),
  ),
})
export type ActionRenderItem = Static<typeof ActionRenderItem>
export const ActionRenderItems = Type.Array(ActionRenderItem, { maxItems: MAX_EXECUTION_ITEMS })

export const RecipientNotFound = Type.Object({
  type: Type.Literal('recipient not found'),
  recipient: ContactIdentification,
})
export const RelatedNotFound = Type.Object({ type: Type.Literal('related not found'), related: ContactIdentification })

export const ActionExecutionResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    id: Type.String({ description: 'stamp id' }),
    recipient: nullableSchema(Type.Union([Footprint, Type.Object({ type: Type.Literal('id'), value: Type.String() })])),
  }),
  Type.Object({
    type: Type.Literal('error'),
    value: Type.Union([
      RecipientNotFound,
      RelatedNotFound,
      Type.Object({ type: Type.Literal('attachment'), name: nullableSchema(Type.String()), message: Type.String() }),
      Type.Object({ type: Type.Literal('data'), message: Type.String() }),
    ]),
  }),
])
export type ActionExecutionResult = Static<typeof ActionExecutionResult>

export const ActionRenderResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    recipient: Type.String({ description: 'address or number that it would go to' }),
    sender: Type.Object({
      bounce: Type.String({ description: 'address that bounces go to' }),
      label: nullableSchema(Type.String()),
      reply: nullableSchema(Type.String()),
      value: Type.String(),
    }),
    subject: Type.String(),
    html: Type.String(),
    text: Type.String(),
    amp: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
  }),
  Type.Object({
    type: Type.Literal('success'),
    recipient: Type.String({ description: 'address or number that it would go to' }),
    sender: Type.String(),
    text: Type.String(),
    encoding: Type.Enum(['gsm7', 'ucs2'], { description: 'gsm7: GSM-7; ucs2: UCS-2' }),
    segments: Type.Integer({ minimum: 1, description: 'how many SMS it takes' }),
    length: Type.Integer({ description: 'septets, or UTF-16 units' }),
  }),
  Type.Object({
    type: Type.Literal('error'),
    value: Type.Union([
      RecipientNotFound,
      RelatedNotFound,
      Type.Object({ type: Type.Literal('message not found') }),
      Type.Object({
        type: Type.Literal('render'),
        message: Type.String(),
        position: nullableSchema(Type.Object({ part: Type.String(), line: Type.Integer(), column: Type.Integer() })),
      }),
      Type.Object({ type: Type.Literal('cancelled'), message: Type.String() }),
    ]),
  }),
])
export type ActionRenderResult = Static<typeof ActionRenderResult>

/** Problem types of the operations that send or render single messages by status. */
export const actionExecutionRefusals = {
  403: 'approval-required',
  409:
    'action-state action-not-ready content-fixed fallback-refused stamp-used field-missing profile-inactive ' +
    'profile-without-credentials',
}
export const actionRenderRefusals = { 409: 'content-fixed content-missing link-unknown action-state' }
