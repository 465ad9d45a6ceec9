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
  recipient: Type.Optional({
    ...ContactIdentification,
    description: 'Contact who receives the message. Required to send; absent in a render: an empty contact.',
  }),
  receiver: Type.Optional({
    ...ContactIdentification,
    description: 'Contact who receives the message. The same as `recipient`, which may be used instead.',
  }),
  related: Type.Optional({
    ...nullableSchema(ContactIdentification),
    description: 'Second contact, which templates read as `related`.',
  }),
  data: optionalOrNull({ ...FreeObjectSchema, description: 'Values that templates read as `data`; at most 256 KiB.' }),
  variables: optionalOrNull(
    Type.Array(TemplateVariable, {
      maxItems: 1000,
      description: 'Values that templates read by name. The last of equal keys applies.',
    }),
  ),
  blocks: optionalOrNull(
    Type.Array(
      { ...FreeObjectSchema, description: 'Any object.' },
      {
        maxItems: 1000,
        description:
          'Objects that templates read as `blocks`. One with a string `key` and a `value` is also `block.<key>`.',
      },
    ),
  ),
  stamp: optionalOrNull(
    Type.Object(
      {
        id: optionalOrNull({
          ...UuidSchema,
          description:
            'ID of the message, which all its events refer to. Absent: generated. A repeated ID sends nothing.',
        }),
        thread: optionalOrNull({ ...UuidSchema, description: 'ID of the thread. Absent: `id`.' }),
        set: optionalOrNull({ ...UuidSchema, description: 'ID of the batch. Absent: one for the request.' }),
        time: optionalOrNull(
          Type.Integer({
            minimum: 0,
            maximum: LATEST_INSTANT_MS,
            description: 'Time in milliseconds since 1970. Absent: now.',
          }),
        ),
      },
      { description: 'Identifiers of the message.' },
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
        reply: optionalOrNull(Type.String({ format: 'email', maxLength: 254, description: 'Reply-to address.' })),
      },
      { description: 'Sender and reply-to address that replace those of the action. Email only.' },
    ),
  ),
  subject: optionalOrNull({
    ...TextSchema,
    description: 'Subject that replaces that of the action, used as is, without template. Email only.',
  }),
  content: optionalOrNull(
    Type.Object(
      {
        type: Type.Optional(
          Type.Enum(['inline', 'template'], {
            description:
              '`inline`: used as is, without template or tracking. `template`: compiled and tracked like the content of the action. Default: `inline`.',
          }),
        ),
        html: Type.Optional({ ...PartSchema, description: 'HTML part. Email only.' }),
        text: Type.Optional({ ...PartSchema, description: 'Text part of the email, or text of the SMS.' }),
        amp: Type.Optional({ ...PartSchema, description: 'AMP part. Email only.' }),
      },
      { description: 'Content that replaces that of the action as a whole. Requires template version `4.1`.' },
    ),
  ),
}

export const MessageAttachment = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '^[^/\\\\\\x00-\\x1f]+$',
    description: 'Name of the file, without path.',
  }),
  mime: Type.String({
    maxLength: 200,
    pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$',
    description: 'Media type, such as `image/png`.',
  }),
  data: Type.Object(
    {
      type: Type.Enum(['base64', 'url'], {
        description:
          '`base64`: the file itself. `url`: an https URL to fetch it from, on a host that the account allows.',
      }),
      value: Type.String({ description: 'Content in base64, or the URL.' }),
    },
    { description: 'Content of the file. All attachments together: at most 15 MiB.' },
  ),
})
export type MessageAttachment = Static<typeof MessageAttachment>

const MessageCopy = Type.Intersect([
  Type.Union([
    ContactIdentification,
    Type.Object({
      type: buildTypeTag('address'),
      value: Type.String({ maxLength: 254, description: 'Email address.' }),
    }),
  ]),
  Type.Object({
    as: Type.Optional(Type.Enum(['cc', 'bcc'], { description: 'Header that shows the address. Default: `cc`.' })),
  }),
])
export type MessageCopy = Static<typeof MessageCopy>

/** One message to be sent. */
export const ActionExecutionItem = Type.Object({
  ...sharedItemMembers,
  attachments: optionalOrNull(
    Type.Array(MessageAttachment, { maxItems: 100, description: 'Files to attach. Email only.' }),
  ),
  copies: optionalOrNull(
    Type.Array(MessageCopy, {
      maxItems: 20,
      description: 'Contacts and addresses that receive a copy, as messages of their own; at most 20. Email only.',
    }),
  ),
  urgent: optionalOrNull(
    Type.Boolean({
      description:
        'Send the message in the urgent lane. Default: false; messages of an action with `priority` always use it.',
    }),
  ),
  important: optionalOrNull(
    Type.Boolean({
      description: 'Mark the email as important for mail programs. Default: that of the action. Email only.',
    }),
  ),
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
        id: optionalOrNull(
          Type.String({
            description:
              'Stamp ID of a sent message of the action, whose stored `data`, `variables` and `blocks` are used if the item has none.',
          }),
        ),
        recipient: optionalOrNull({ ...TextSchema, description: 'Address displayed instead of that of the contact.' }),
        render: optionalOrNull(
          Type.Enum([0, 1, 2, 3], {
            description: 'Parts to render. 0: all. 1: HTML. 2: text. 3: AMP. The others are empty strings. Default: 0.',
          }),
        ),
        display: optionalOrNull(
          Type.Integer({
            minimum: 0,
            maximum: 31,
            description:
              'Sum of options. 1: tracking links, which record nothing. 2: open pixel, which records nothing. 4: as the mirror page. 8: as a proof. 16: values not escaped for HTML. Default: 0, a plain preview.',
          }),
        ),
      },
      { description: 'Options of the render.' },
    ),
  ),
})
export type ActionRenderItem = Static<typeof ActionRenderItem>
export const ActionRenderItems = Type.Array(ActionRenderItem, { maxItems: MAX_EXECUTION_ITEMS })

export const RecipientNotFound = Type.Object({
  type: buildTypeTag('recipient not found'),
  recipient: { ...ContactIdentification, description: 'Contact as in the request.' },
})
export const RelatedNotFound = Type.Object({
  type: buildTypeTag('related not found'),
  related: { ...ContactIdentification, description: 'Second contact as in the request.' },
})

/** The contact of a successful item: in few words, or by its id. */
export const ResultRecipient = {
  ...nullableSchema(
    Type.Union([
      Footprint,
      Type.Object({ type: buildTypeTag('id'), value: Type.String({ description: 'ID of the contact.' }) }),
    ]),
  ),
  description: 'Contact who receives the message.',
}

export const ActionExecutionResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    id: Type.String({ description: 'Stamp ID of the message, which all its events refer to.' }),
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
          name: nullableSchema(Type.String({ description: 'Name of the attachment.' })),
          message: Type.String({ description: 'Explanation of the error.' }),
        }),
        Type.Object({
          type: buildTypeTag('data'),
          message: Type.String({ description: 'Explanation of the error.' }),
        }),
      ],
      { description: 'Error, distinguished by its `type`.' },
    ),
  }),
])
export type ActionExecutionResult = Static<typeof ActionExecutionResult>

export const ActionRenderResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    recipient: Type.String({ description: 'Email address of the recipient.' }),
    sender: Type.Object(
      {
        bounce: Type.String({ description: 'Address that bounces are returned to.' }),
        label: nullableSchema(Type.String({ description: 'Name of the sender.' })),
        reply: nullableSchema(Type.String({ description: 'Reply-to address. Null: none.' })),
        value: Type.String({ description: 'Address of the sender.' }),
      },
      { description: 'Sender of the email.' },
    ),
    subject: Type.String({ description: 'Subject of the email.' }),
    html: Type.String({ description: 'HTML part of the email.' }),
    text: Type.String({ description: 'Text part of the email.' }),
    amp: Type.String({ description: 'AMP part of the email.' }),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Further headers, by name.' }),
  }),
  Type.Object({
    type: buildTypeTag('success'),
    recipient: Type.String({ description: 'Phone number of the recipient.' }),
    sender: Type.String({ description: 'Sender of the SMS: a name or number.' }),
    text: Type.String({ description: 'Text of the SMS.' }),
    encoding: Type.Enum(['gsm7', 'ucs2'], { description: 'Alphabet of the SMS. `gsm7`: GSM-7. `ucs2`: UCS-2.' }),
    segments: Type.Integer({ minimum: 1, description: 'Number of SMS segments.' }),
    length: Type.Integer({ description: 'Length of the text: septets for GSM-7, UTF-16 units for UCS-2.' }),
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
          message: Type.String({ description: 'Explanation of the error.' }),
          position: nullableSchema(
            Type.Object(
              {
                part: Type.String({ description: 'Part of the content, such as `subject` or `html`.' }),
                line: Type.Integer({ description: 'Line, from 1.' }),
                column: Type.Integer({ description: 'Column, from 1.' }),
              },
              { description: 'Position of the error. Null: unknown.' },
            ),
          ),
        }),
        Type.Object({
          type: buildTypeTag('cancelled'),
          message: Type.String({ description: 'Explanation of the error.' }),
        }),
      ],
      { description: 'Error, distinguished by its `type`.' },
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
