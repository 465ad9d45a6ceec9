import { type Static, type TSchema, Type } from 'typebox'
import type { BroughtContent } from '../../../channels/channel.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { Footprint, Identification } from '../../contacts/records/identification-schemas.ts'
import { From } from '../resource/action-schemas.ts'
import { Variable } from '../validation/validation-schemas.ts'

/** Items of one request at most. */
export const MAX_ITEMS = 1000
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

export const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

const Uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const Part = nullable(Type.String({ maxLength: 1_000_000 }))
const Text = Type.String({ maxLength: 998 })
const Free = Type.Record(Type.String(), Type.Unknown())

/** Who an item of any family is for, and what it gives to the template. */
export const given = {
  recipient: Type.Optional(Identification),
  receiver: Type.Optional(Identification),
  related: optional(Identification),
  data: optional(Free),
  variables: optional(Type.Array(Variable, { maxItems: 1000 })),
  blocks: optional(Type.Array(Free, { maxItems: 1000 })),
  stamp: optional(
    Type.Object({
      id: optional(Uuid),
      thread: optional(Uuid),
      set: optional(Uuid),
      time: optional(Type.Integer({ minimum: 0, maximum: LATEST_MS, description: 'milliseconds since 1970' })),
    }),
  ),
}

/** What a send or a render is made of, beside the action. */
const shared = {
  ...given,
  headers: optional(
    Type.Object({ from: optional(From), reply: optional(Type.String({ format: 'email', maxLength: 254 })) }),
  ),
  subject: optional(Text),
  content: optional(
    Type.Object({
      type: Type.Optional(Type.Enum(['inline', 'template'])),
      html: Type.Optional(Part),
      text: Type.Optional(Part),
      amp: Type.Optional(Part),
    }),
  ),
}

export const Attachment = Type.Object({
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
export type Attachment = Static<typeof Attachment>

const Copy = Type.Intersect([
  Type.Union([Identification, Type.Object({ type: Type.Literal('address'), value: Type.String({ maxLength: 254 }) })]),
  Type.Object({
    as: Type.Optional(Type.Enum(['cc', 'bcc'], { description: 'which header names the address; cc by default' })),
  }),
])
export type Copy = Static<typeof Copy>

/** One message to be sent. */
export const ExecutionItem = Type.Object({
  ...shared,
  attachments: optional(Type.Array(Attachment, { maxItems: 100 })),
  copies: optional(Type.Array(Copy, { maxItems: 20, description: 'who gets it too, as messages of their own' })),
  urgent: optional(Type.Boolean()),
  important: optional(Type.Boolean()),
})
export type ExecutionItem = Static<typeof ExecutionItem>
export const ExecutionItems = Type.Array(ExecutionItem, { maxItems: MAX_ITEMS })

/** Members with which an item replaces what the action has. */
export const replacing = ['content', 'subject', 'headers', 'attachments'] as const

/**
 * An item of any family as it is sent. `brought`: templates in place of the content, in the words of its channel;
 * `waitMs`: how long the message may wait.
 */
export type AskedItem = ExecutionItem & { brought?: BroughtContent; waitMs?: number }

/** One message to be looked at. */
export const RenderItem = Type.Object({
  ...shared,
  context: optional(
    Type.Object({
      id: optional(Type.String({ description: 'stamp id of a sent message of the action' })),
      recipient: optional({ ...Text, description: "address that is shown in place of the contact's" }),
      render: optional(Type.Enum([0, 1, 2, 3], { description: '0 all parts, 1 html, 2 text, 3 amp' })),
      display: optional(
        Type.Integer({
          minimum: 0,
          maximum: 31,
          description: '1 tracking links, 2 pixel, 4 mirror page, 8 proof, 16 unescaped values',
        }),
      ),
    }),
  ),
})
export type RenderItem = Static<typeof RenderItem>
export const RenderItems = Type.Array(RenderItem, { maxItems: MAX_ITEMS })

export const RecipientNotFound = Type.Object({ type: Type.Literal('recipient not found'), recipient: Identification })
export const RelatedNotFound = Type.Object({ type: Type.Literal('related not found'), related: Identification })

export const ExecutionResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    id: Type.String({ description: 'stamp id' }),
    recipient: nullable(Type.Union([Footprint, Type.Object({ type: Type.Literal('id'), value: Type.String() })])),
  }),
  Type.Object({
    type: Type.Literal('error'),
    value: Type.Union([
      RecipientNotFound,
      RelatedNotFound,
      Type.Object({ type: Type.Literal('attachment'), name: nullable(Type.String()), message: Type.String() }),
      Type.Object({ type: Type.Literal('data'), message: Type.String() }),
    ]),
  }),
])
export type ExecutionResult = Static<typeof ExecutionResult>

export const RenderResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    recipient: Type.String({ description: 'address or number that it would go to' }),
    sender: Type.Object({
      bounce: Type.String({ description: 'address that bounces go to' }),
      label: nullable(Type.String()),
      reply: nullable(Type.String()),
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
        position: nullable(Type.Object({ part: Type.String(), line: Type.Integer(), column: Type.Integer() })),
      }),
      Type.Object({ type: Type.Literal('cancelled'), message: Type.String() }),
    ]),
  }),
])
export type RenderResult = Static<typeof RenderResult>
