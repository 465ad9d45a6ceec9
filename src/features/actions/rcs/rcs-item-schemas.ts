import { type Static, Type } from 'typebox'
import { RcsContent, RcsExpiration, RcsFallback } from '../../../channels/rcs/content/content-schemas.ts'
import { nullable } from '../../accounts/sending-settings-schemas.ts'
import { Identification } from '../../contacts/records/identification-schemas.ts'
import {
  ExecutionResult,
  given,
  MAX_ITEMS,
  optional,
  RecipientNotFound,
  RelatedNotFound,
} from '../execution/item-schemas.ts'
import { Id } from '../resource/action-schemas.ts'

/** What replaces that of the action: whole, and as templates. */
const overrides = {
  content: Type.Optional(Type.Union([RcsContent, Type.Null()])),
  fallback: Type.Optional(Type.Union([RcsFallback, Type.Null()], { description: 'null: none' })),
}

/** One message to be sent. */
export const RcsExecutionItem = Type.Object({
  ...given,
  ...overrides,
  expiration: optional(RcsExpiration),
  urgent: optional(Type.Boolean()),
})
export type RcsExecutionItem = Static<typeof RcsExecutionItem>
export const RcsExecutionItems = Type.Array(RcsExecutionItem, { maxItems: MAX_ITEMS })

/** One message to be looked at. */
export const RcsRenderItem = Type.Object({
  ...given,
  ...overrides,
  context: optional(
    Type.Object(
      {
        recipient: optional(Type.String({ maxLength: 100, description: "a phone in place of the contact's" })),
      },
      { description: 'what it is rendered for' },
    ),
  ),
})
export type RcsRenderItem = Static<typeof RcsRenderItem>

/** Messages to be sent for a look at them. */
export const RcsProofBody = Type.Object({
  recipient: optional(Identification),
  testSegments: optional(Type.Array(Id, { maxItems: 100, description: 'segments with isTest true' })),
  mediaForTest: optional(Type.String({ maxLength: 100, description: 'E.164: every proof goes to this number' })),
  version: optional(
    Type.String({ maxLength: 32, description: "of the experiment: its content in place of the campaign's own" }),
  ),
  ...Type.Pick(Type.Object(given), ['data', 'variables', 'blocks', 'stamp']).properties,
  ...overrides,
})
export type RcsProofBody = Static<typeof RcsProofBody>

/** What can be sent, and is not shown as it was meant. */
const Warning = Type.Object({ type: Type.String(), message: Type.String(), pointer: Type.String() })

/** What a proof came to. The warnings are those of its render; absent when there are none. */
export const RcsProofResult = Type.Intersect([
  ExecutionResult,
  Type.Object({ warnings: Type.Optional(Type.Array(Warning)) }),
])
export type RcsProofResult = ExecutionResult & { warnings?: Static<typeof Warning>[] }

export const RcsRenderResult = Type.Union([
  Type.Object({
    type: Type.Literal('success'),
    recipient: nullable(Type.String({ description: 'null without a phone that can be used' })),
    agent: nullable(Type.String({ description: 'null as long as the action names no profile' })),
    message: Type.Object({}, { additionalProperties: true, description: 'the contentMessage that RBM would get' }),
    fallback: nullable(Type.Object({ text: Type.String(), segments: Type.Integer() })),
    warnings: Type.Optional(Type.Array(Warning)),
  }),
  Type.Object({
    type: Type.Literal('error'),
    value: Type.Union([
      RecipientNotFound,
      RelatedNotFound,
      Type.Object({
        type: Type.Literal('render'),
        message: Type.String(),
        pointer: Type.String({ description: 'to what is to be changed, in the action' }),
      }),
      Type.Object({ type: Type.Literal('cancelled'), message: Type.String() }),
    ]),
  }),
])
export type RcsRenderResult = Static<typeof RcsRenderResult>

/** By which a contact is found: exactly one of them. */
export const RenderQuery = Type.Object({
  unicity: Type.Optional(Type.String({ description: 'the concatenated unicity' })),
  hash: Type.Optional(Type.String()),
})
export const RenderParams = Type.Object({ id: Type.String(), contact: Type.String() })
