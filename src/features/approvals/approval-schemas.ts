import { type Static, Type } from 'typebox'
import { int32Limits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { approvalKinds } from './approvable.ts'

export const approvalStates = ['waiting', 'approved', 'refused', 'stale'] as const
export const approvalOutcomes = ['running', 'done', 'failed'] as const

const ApprovalComment = Type.Optional(
  nullableSchema(Type.String({ maxLength: 4000, description: 'words of its author for other people' })),
)

export const ApprovalBody = Type.Object({
  type: Type.Enum(approvalKinds, { description: 'which of the possible kinds it is' }),
  id: Type.Union([Type.String({ maxLength: 20 }), Type.Integer(int32Limits)], {
    description: 'what names it in this account',
  }),
  comment: ApprovalComment,
})
export type ApprovalBody = Static<typeof ApprovalBody>

export const ApprovalDecisionBody = Type.Object({
  decision: Type.Enum(['approve', 'refuse'], { description: 'whether it may be done' }),
  comment: ApprovalComment,
})
export type ApprovalDecisionBody = Static<typeof ApprovalDecisionBody>

const ApprovalActor = Type.Object({
  type: Type.Enum(['person', 'key', 'system', 'command'], { description: 'which of the possible kinds it is' }),
  id: nullableSchema(Type.String({ description: 'what names it in this account' })),
  name: Type.String({ description: 'the name that people give it' }),
})

export const ApprovalResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'what names it in this account' }),
  state: Type.Enum(approvalStates, {
    description: 'stale: what was asked for has changed since',
  }),
  object: Type.Object(
    {
      type: Type.Enum(approvalKinds, { description: 'which of the possible kinds it is' }),
      id: Type.Union([Type.String(), Type.Integer()], { description: 'what names it in this account' }),
      name: Type.String({ description: 'when it was asked for' }),
    },
    { description: 'what is to be sent or activated' },
  ),
  version: Type.String({ description: 'a hash of the definition, of the criteria of its segments and of its content' }),
  audience: nullableSchema(Type.Integer({ description: 'contacts of its segments when it was asked for' })),
  comment: nullableSchema(Type.String({ description: 'words of its author for other people' })),
  askedBy: { ...ApprovalActor, description: 'who asked for it' },
  askedAt: Type.String({ format: 'date-time', description: 'when it was asked for, in UTC' }),
  decision: nullableSchema(
    Type.Object(
      {
        by: { ...ApprovalActor, description: 'who did it' },
        at: Type.String({ format: 'date-time', description: 'when it happened' }),
        comment: nullableSchema(Type.String({ description: 'words of its author for other people' })),
      },
      { description: 'what was decided; null: nothing' },
    ),
  ),
  outcome: nullableSchema(
    Type.Enum(approvalOutcomes, {
      description:
        'of an approved one; failed: its content could not be compiled, or what was approved had changed when it was to begin',
    }),
  ),
})
export type ApprovalResource = Static<typeof ApprovalResource>
