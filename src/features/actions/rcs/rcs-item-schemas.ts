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
  content: Type.Optional(
    Type.Union([RcsMessageContent, Type.Null()], {
      description:
        'Content that replaces that of the action as a whole, as a template. Null or absent: that of the action.',
    }),
  ),
  fallback: Type.Optional(
    Type.Union([RcsFallback, Type.Null()], {
      description: 'Fallback SMS that replaces that of the action. Null: none. Absent: that of the action.',
    }),
  ),
}

/** One message to be sent. */
export const RcsExecutionItem = Type.Object({
  ...itemRecipientMembers,
  ...overrideMembers,
  expiration: optionalOrNull({
    ...RcsExpiration,
    description:
      'Time within which the message can be delivered, from 10 seconds to 15 days. Null or absent: that of the action.',
  }),
  urgent: optionalOrNull(
    Type.Boolean({
      description:
        'Send the message in the urgent lane. Default: false; messages of an action with `priority` always use it.',
    }),
  ),
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
        recipient: optionalOrNull(
          Type.String({ maxLength: 100, description: 'Phone number used instead of that of the contact.' }),
        ),
      },
      { description: 'Options of the render.' },
    ),
  ),
})
export type RcsRenderItem = Static<typeof RcsRenderItem>

/** Messages to be sent for a look at them. */
export const RcsProofBody = Type.Object({
  recipient: Type.Optional({
    ...nullableSchema(ContactIdentification),
    description: 'Contact who receives a proof. Required without `testSegments`.',
  }),
  testSegments: optionalOrNull(
    Type.Array(Int32Id, {
      maxItems: 100,
      description: 'IDs of test segments (`isTest` true) whose contacts receive a proof each.',
    }),
  ),
  mediaForTest: optionalOrNull(
    Type.String({
      maxLength: 100,
      description: 'Phone number in E.164 that receives all proofs instead of the contacts.',
    }),
  ),
  version: optionalOrNull(
    Type.String({
      maxLength: 32,
      description: 'ID of the version of the experiment whose content is sent. Absent: the content of the campaign.',
    }),
  ),
  ...Type.Pick(Type.Object(itemRecipientMembers), ['data', 'variables', 'blocks', 'stamp']).properties,
  ...overrideMembers,
})
export type RcsProofBody = Static<typeof RcsProofBody>

/** Problem that does not prevent sending, but changes how the message is shown. */
const WarningSchema = Type.Object({
  type: Type.String({ description: 'Type of the warning.' }),
  message: Type.String({ description: 'Explanation of the warning.' }),
  pointer: Type.String({ description: 'JSON Pointer to the affected part.' }),
})

/** Result of a proof. Its warnings are those of its render; absent if there are none. */
export const RcsProofResult = Type.Intersect([
  ActionExecutionResult,
  Type.Object({
    warnings: Type.Optional(
      Type.Array(WarningSchema, { description: 'Warnings: possible problems that block nothing. Absent: none.' }),
    ),
  }),
])
export type RcsProofResult = ActionExecutionResult & { warnings?: Static<typeof WarningSchema>[] }

export const RcsRenderResult = Type.Union([
  Type.Object({
    type: buildTypeTag('success'),
    recipient: nullableSchema(
      Type.String({ description: 'Phone number of the recipient. Null: the contact has no usable number.' }),
    ),
    agent: nullableSchema(Type.String({ description: 'ID of the RCS agent. Null: the action has no profile.' })),
    message: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Message as it would be passed to RCS Business Messaging (`contentMessage`).',
      },
    ),
    fallback: nullableSchema(
      Type.Object(
        {
          text: Type.String({ description: 'Text of the SMS.' }),
          segments: Type.Integer({ description: 'Number of SMS segments.' }),
        },
        { description: 'SMS sent if the RCS message cannot be delivered. Null: none.' },
      ),
    ),
    warnings: Type.Optional(
      Type.Array(WarningSchema, { description: 'Warnings: possible problems that block nothing. Absent: none.' }),
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
          pointer: Type.String({ description: 'JSON Pointer to the faulty part of the action.' }),
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
export type RcsRenderResult = Static<typeof RcsRenderResult>

/** By which a contact is found: exactly one of them. */
export const RcsRenderQuery = Type.Object({
  unicity: Type.Optional(
    Type.String({ description: 'Concatenated unicity of the contact: its values joined without a separator.' }),
  ),
  hash: Type.Optional(
    Type.String({ description: 'Hash of the contact: MD5 of the concatenated unicity, as 32 hexadecimal digits.' }),
  ),
})
export const RcsRenderParams = Type.Object({ id: Type.String(), contact: Type.String() })
