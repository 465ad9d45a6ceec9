import { type Static, Type } from 'typebox'
import { RcsExpiration, RcsFallback, RcsMessageContent } from '../../../channels/rcs/content/content-schemas.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'
import { nullableSchema } from '../../accounts/sending-settings-schemas.ts'
import { ContactIdentification } from '../../contacts/records/identification-schemas.ts'
import {
  ActionExecutionResult,
  itemRecipientMembers,
  MAX_EXECUTION_ITEMS,
  optionalOrNull,
  RecipientNotFound,
  RelatedNotFound,
} from '../execution/item-schemas.ts'
import { Int32Id } from '../resource/action-schemas.ts'

/** Members that replace those of the action: whole, and as templates. */
const overrideMembers = {
  content: Type.Optional(Type.Union([RcsMessageContent, Type.Null()], { description: 'what it says or holds' })),
  fallback: Type.Optional(Type.Union([RcsFallback, Type.Null()], { description: 'null: none' })),
}

/** One message to be sent. */
export const RcsExecutionItem = Type.Object({
  ...itemRecipientMembers,
  ...overrideMembers,
  expiration: optionalOrNull(RcsExpiration),
  urgent: optionalOrNull(Type.Boolean({ description: 'whether it goes before others' })),
})
export type RcsExecutionItem = Static<typeof RcsExecutionItem>
export const RcsExecutionItems = Type.Array(RcsExecutionItem, { maxItems: MAX_EXECUTION_ITEMS })

/** One message to be looked at. */
export const RcsRenderItem = Type.Object({
  ...itemRecipientMembers,
  ...overrideMembers,
  context: optionalOrNull(
    Type.Object(
      {
        recipient: optionalOrNull(Type.String({ maxLength: 100, description: "a phone in place of the contact's" })),
      },
      { description: 'what it is rendered for' },
    ),
  ),
})
export type RcsRenderItem = Static<typeof RcsRenderItem>

/** Messages to be sent for a look at them. */
export const RcsProofBody = Type.Object({
  recipient: Type.Optional({ ...nullableSchema(ContactIdentification), description: 'the contact that it is for' }),
  testSegments: optionalOrNull(Type.Array(Int32Id, { maxItems: 100, description: 'segments with isTest true' })),
  mediaForTest: optionalOrNull(Type.String({ maxLength: 100, description: 'E.164: every proof goes to this number' })),
  version: optionalOrNull(
    Type.String({ maxLength: 32, description: "of the experiment: its content in place of the campaign's own" }),
  ),
  ...Type.Pick(Type.Object(itemRecipientMembers), ['data', 'variables', 'blocks', 'stamp']).properties,
  ...overrideMembers,
})
export type RcsProofBody = Static<typeof RcsProofBody>

/** Problem that does not prevent sending, but changes how the message is shown. */
const WarningSchema = Type.Object({
  type: Type.String({ description: 'which of the possible kinds it is' }),
  message: Type.String({ description: 'what is wrong, in words' }),
  pointer: Type.String({ description: 'a JSON Pointer to the place, or the name of a parameter' }),
})

/** Result of a proof. Its warnings are those of its render; absent if there are none. */
export const RcsProofResult = Type.Intersect([
  ActionExecutionResult,
  Type.Object({
    warnings: Type.Optional(Type.Array(WarningSchema, { description: 'what may be wrong, and stops nothing' })),
  }),
])
export type RcsProofResult = ActionExecutionResult & { warnings?: Static<typeof WarningSchema>[] }

export const RcsRenderResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    recipient: nullableSchema(Type.String({ description: 'null without a phone that can be used' })),
    agent: nullableSchema(Type.String({ description: 'null as long as the action names no profile' })),
    message: Type.Object({}, { additionalProperties: true, description: 'the contentMessage that RBM would get' }),
    fallback: nullableSchema(
      Type.Object(
        {
          text: Type.String({ description: 'the text, plain' }),
          segments: Type.Integer({ description: 'how many SMS it takes' }),
        },
        { description: 'the SMS that goes out instead' },
      ),
    ),
    warnings: Type.Optional(Type.Array(WarningSchema, { description: 'what may be wrong, and stops nothing' })),
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
          pointer: Type.String({ description: 'to what is to be changed, in the action' }),
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
export type RcsRenderResult = Static<typeof RcsRenderResult>

/** By which a contact is found: exactly one of them. */
export const RcsRenderQuery = Type.Object({
  unicity: Type.Optional(Type.String({ description: 'the concatenated unicity' })),
  hash: Type.Optional(Type.String({ description: 'MD5 of the concatenated unicity, 32 hexadecimal digits' })),
})
export const RcsRenderParams = Type.Object({ id: Type.String(), contact: Type.String() })
