import { type Static, Type } from 'typebox'
import { int32 } from '../../lib/int32.ts'
import { nullable } from '../accounts/sending-settings-schemas.ts'
import { approvalKinds } from './approvable.ts'

export const approvalStates = ['waiting', 'approved', 'refused', 'stale'] as const
export const outcomes = ['running', 'done', 'failed'] as const

const Comment = Type.Optional(nullable(Type.String({ maxLength: 4000 })))

export const ApprovalBody = Type.Object({
  type: Type.Enum(approvalKinds),
  id: Type.Union([Type.String({ maxLength: 20 }), Type.Integer(int32)]),
  comment: Comment,
})
export type ApprovalBody = Static<typeof ApprovalBody>

export const DecisionBody = Type.Object({
  decision: Type.Enum(['approve', 'refuse'], { description: 'whether it may be done' }),
  comment: Comment,
})
export type DecisionBody = Static<typeof DecisionBody>

const Who = Type.Object({
  type: Type.Enum(['person', 'key', 'system', 'command']),
  id: nullable(Type.String()),
  name: Type.String(),
})

export const Approval = Type.Object({
  id: Type.String({ format: 'uuid' }),
  state: Type.Enum(approvalStates, {
    description: 'stale: what was asked for has changed since',
  }),
  object: Type.Object(
    {
      type: Type.Enum(approvalKinds),
      id: Type.Union([Type.String(), Type.Integer()]),
      name: Type.String({ description: 'when it was asked for' }),
    },
    { description: 'what is to be sent or activated' },
  ),
  version: Type.String({ description: 'a hash of the definition, of the criteria of its segments and of its content' }),
  audience: nullable(Type.Integer({ description: 'contacts of its segments when it was asked for' })),
  comment: nullable(Type.String()),
  askedBy: Who,
  askedAt: Type.String({ format: 'date-time', description: 'when it was asked for, in UTC' }),
  decision: nullable(
    Type.Object(
      {
        by: Who,
        at: Type.String({ format: 'date-time' }),
        comment: nullable(Type.String()),
      },
      { description: 'what was decided; null: nothing' },
    ),
  ),
  outcome: nullable(
    Type.Enum(outcomes, {
      description:
        'of an approved one; failed: its content could not be compiled, or what was approved had changed when it was to begin',
    }),
  ),
})
export type Approval = Static<typeof Approval>
