import { type Static, type TSchema, Type } from 'typebox'
import type { ContentOverride } from '../../../channels/channel.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
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
  recipient: Type.Optional({ ...ContactIdentification, description: 'the contact that it is for' }),
  receiver: Type.Optional({ ...ContactIdentification, description: 'the contact that it is for' }),
  related: Type.Optional({
    ...nullableSchema(ContactIdentification),
    description: 'the contact that templates read as `related`',
  }),
  data: optionalOrNull({ ...FreeObjectSchema, description: 'values that templates and scripts read as `data`' }),
  variables: optionalOrNull(
    Type.Array(TemplateVariable, { maxItems: 1000, description: 'values that templates and scripts read by name' }),
  ),
  blocks: optionalOrNull(
    Type.Array(FreeObjectSchema, { maxItems: 1000, description: 'objects that templates read as `blocks`' }),
  ),
  stamp: optionalOrNull(
    Type.Object(
      {
        id: optionalOrNull({ ...UuidSchema, description: 'what names it in this account' }),
        thread: optionalOrNull({ ...UuidSchema, description: 'what names one conversation or send' }),
        set: optionalOrNull({ ...UuidSchema, description: 'id of the batch: a request, or a run' }),
        time: optionalOrNull(
          Type.Integer({ minimum: 0, maximum: LATEST_INSTANT_MS, description: 'milliseconds since 1970' }),
        ),
      },
      { description: 'what names one send' },
    ),
  ),
}

/** Input of a send or a render, in addition to the action. */
const sharedItemMembers = {
  ...itemRecipientMembers,
  headers: optionalOrNull(
    Type.Object(
      {
        from: optionalOrNull(ActionSender),
        reply: optionalOrNull(Type.String({ format: 'email', maxLength: 254, description: 'the answer that came' })),
      },
      { description: 'headers of the message, by name' },
    ),
  ),
  subject: optionalOrNull({ ...TextSchema, description: 'the subject of the mail' }),
  content: optionalOrNull(
    Type.Object(
      {
        type: Type.Optional(Type.Enum(['inline', 'template'], { description: 'which of the possible kinds it is' })),
        html: Type.Optional({ ...PartSchema, description: 'the text in HTML' }),
        text: Type.Optional({ ...PartSchema, description: 'the text, plain' }),
        amp: Type.Optional({ ...PartSchema, description: 'the content in AMP for Email' }),
      },
      { description: 'what it says or holds' },
    ),
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
    {
      type: Type.Enum(['base64', 'url'], { description: 'which of the possible kinds it is' }),
      value: Type.String({ description: 'the value itself' }),
    },
    { description: 'its octets in base64, or an https address of them' },
  ),
})
export type MessageAttachment = Static<typeof MessageAttachment>

const MessageCopy = Type.Intersect([
  Type.Union([
    ContactIdentification,
    Type.Object({
      type: buildTypeTag('address'),
      value: Type.String({ maxLength: 254, description: 'the value itself' }),
    }),
  ]),
  Type.Object({
    as: Type.Optional(Type.Enum(['cc', 'bcc'], { description: 'which header names the address; cc by default' })),
  }),
])
export type MessageCopy = Static<typeof MessageCopy>

/** One message to be sent. */
export const ActionExecutionItem = Type.Object({
  ...sharedItemMembers,
  attachments: optionalOrNull(
    Type.Array(MessageAttachment, { maxItems: 100, description: 'files that go with the message' }),
  ),
  copies: optionalOrNull(
    Type.Array(MessageCopy, { maxItems: 20, description: 'who gets it too, as messages of their own' }),
  ),
  urgent: optionalOrNull(Type.Boolean({ description: 'whether it goes before others' })),
  important: optionalOrNull(Type.Boolean({ description: 'whether mail readers are told that it is important' })),
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
    Type.Object(
      {
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
      },
      { description: 'what it is rendered for' },
    ),
  ),
})
export type ActionRenderItem = Static<typeof ActionRenderItem>
export const ActionRenderItems = Type.Array(ActionRenderItem, { maxItems: MAX_EXECUTION_ITEMS })

export const RecipientNotFound = Type.Object({
  type: buildTypeTag('recipient not found'),
  recipient: { ...ContactIdentification, description: 'the contact that it is for' },
})
export const RelatedNotFound = Type.Object({
  type: buildTypeTag('related not found'),
  related: { ...ContactIdentification, description: 'the contact that templates read as `related`' },
})

/** The contact of a successful item: in few words, or by its id. */
export const ResultRecipient = {
  ...nullableSchema(
    Type.Union([
      Footprint,
      Type.Object({ type: buildTypeTag('id'), value: Type.String({ description: 'the value itself' }) }),
    ]),
  ),
  description: 'the contact that it is for',
}

export const ActionExecutionResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    id: Type.String({ description: 'stamp id' }),
    recipient: ResultRecipient,
  }),
  Type.Object({
    type: buildTypeTag('error'),
    value: Type.Union(
      [
        RecipientNotFound,
        RelatedNotFound,
        Type.Object({
          type: buildTypeTag('attachment'),
          name: nullableSchema(Type.String({ description: 'the name that people give it' })),
          message: Type.String({ description: 'what is wrong, in words' }),
        }),
        Type.Object({
          type: buildTypeTag('data'),
          message: Type.String({ description: 'what is wrong, in words' }),
        }),
      ],
      { description: 'the value itself' },
    ),
  }),
])
export type ActionExecutionResult = Static<typeof ActionExecutionResult>

export const ActionRenderResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    recipient: Type.String({ description: 'address or number that it would go to' }),
    sender: Type.Object(
      {
        bounce: Type.String({ description: 'address that bounces go to' }),
        label: nullableSchema(Type.String({ description: 'the name that people see' })),
        reply: nullableSchema(Type.String({ description: 'the answer that came' })),
        value: Type.String({ description: 'the value itself' }),
      },
      { description: 'who it is sent from' },
    ),
    subject: Type.String({ description: 'the subject of the mail' }),
    html: Type.String({ description: 'the text in HTML' }),
    text: Type.String({ description: 'the text, plain' }),
    amp: Type.String({ description: 'the content in AMP for Email' }),
    headers: Type.Record(Type.String(), Type.String(), { description: 'headers of the message, by name' }),
  }),
  Type.Object({
    type: buildTypeTag('success'),
    recipient: Type.String({ description: 'address or number that it would go to' }),
    sender: Type.String({ description: 'who it is sent from' }),
    text: Type.String({ description: 'the text, plain' }),
    encoding: Type.Enum(['gsm7', 'ucs2'], { description: 'gsm7: GSM-7; ucs2: UCS-2' }),
    segments: Type.Integer({ minimum: 1, description: 'how many SMS it takes' }),
    length: Type.Integer({ description: 'septets, or UTF-16 units' }),
  }),
  Type.Object({
    type: buildTypeTag('error'),
    value: Type.Union(
      [
        RecipientNotFound,
        RelatedNotFound,
        Type.Object({ type: buildTypeTag('message not found') }),
        Type.Object({
          type: buildTypeTag('render'),
          message: Type.String({ description: 'what is wrong, in words' }),
          position: nullableSchema(
            Type.Object(
              {
                part: Type.String({ description: 'the part of the content that it is in' }),
                line: Type.Integer({ description: 'line of the text, from 1' }),
                column: Type.Integer({ description: 'column of the line, from 1' }),
              },
              { description: 'where it stands in the text' },
            ),
          ),
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
export type ActionRenderResult = Static<typeof ActionRenderResult>

/** Problem types of the operations that send or render single messages by status. */
export const actionExecutionRefusals = {
  403: 'approval-required',
  409:
    'action-state action-not-ready content-fixed fallback-refused stamp-used field-missing profile-inactive ' +
    'profile-without-credentials',
}
export const actionRenderRefusals = { 409: 'content-fixed content-missing link-unknown action-state' }
