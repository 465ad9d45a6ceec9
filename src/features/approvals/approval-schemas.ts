import { type Static, Type } from 'typebox'
import { int32Limits } from '../../lib/int32.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { approvalKinds } from './approvable.ts'

export const approvalStates = ['waiting', 'approved', 'refused', 'stale'] as const
/** The states, in words. */
export const APPROVAL_STATES_IN_WORDS =
  '`waiting`: not decided. `approved`: approved and performed. `refused`: rejected. `stale`: the object has changed since the request.'
export const approvalOutcomes = ['running', 'done', 'failed'] as const

const ApprovalComment = Type.Optional(
  nullableSchema(Type.String({ maxLength: 4000, description: 'Comment for other users. Null: none.' })),
)

export const ApprovalBody = Type.Object({
  type: Type.Enum(approvalKinds, {
    description:
      'Type of the object. `action`: email or SMS action. `rcs`: RCS action. `notification`: notification. `workflow`: workflow.',
  }),
  id: Type.Union([Type.String({ maxLength: 20 }), Type.Integer(int32Limits)], {
    description: 'ID of the object.',
  }),
  comment: ApprovalComment,
})
export type ApprovalBody = Static<typeof ApprovalBody>

export const ApprovalDecisionBody = Type.Object({
  decision: Type.Enum(['approve', 'refuse'], {
    description: '`approve`: validates or activates the object. `refuse`: rejects the request.',
  }),
  comment: ApprovalComment,
})
export type ApprovalDecisionBody = Static<typeof ApprovalDecisionBody>

const ApprovalActor = Type.Object({
  type: Type.Enum(['person', 'key', 'system', 'command'], {
    description: '`person`: a user. `key`: a key. `system`: the service itself. `command`: the command line.',
  }),
  id: nullableSchema(Type.String({ description: 'ID of the user or key. Null: none.' })),
  name: Type.String({ description: 'Name of the user or key.' }),
})

export const ApprovalResource = Type.Object({
  id: Type.String({ format: 'uuid', description: 'ID of the approval.' }),
  state: Type.Enum(approvalStates, {
    description: APPROVAL_STATES_IN_WORDS,
  }),
  object: Type.Object(
    {
      type: Type.Enum(approvalKinds, {
        description:
          'Type of the object. `action`: email or SMS action. `rcs`: RCS action. `notification`: notification. `workflow`: workflow.',
      }),
      id: Type.Union([Type.String(), Type.Integer()], { description: 'ID of the object.' }),
      name: Type.String({ description: 'Name of the object at the time of the request.' }),
    },
    { description: 'Object to be validated or activated.' },
  ),
  version: Type.String({
    description: 'Hash of the definition, the content and the criteria of the segments at the time of the request.',
  }),
  audience: nullableSchema(
    Type.Integer({
      description: 'Number of contacts in its segments at the time of the request. Null: it has no segments.',
    }),
  ),
  comment: nullableSchema(Type.String({ description: 'Comment of the requester. Null: none.' })),
  askedBy: { ...ApprovalActor, description: 'User or key that requested the approval.' },
  askedAt: Type.String({ format: 'date-time', description: 'Time of the request, in UTC.' }),
  decision: nullableSchema(
    Type.Object(
      {
        by: { ...ApprovalActor, description: 'User who decided.' },
        at: Type.String({ format: 'date-time', description: 'Time of the decision, in UTC.' }),
        comment: nullableSchema(Type.String({ description: 'Comment of the decider. Null: none.' })),
      },
      { description: 'Decision. Null: none yet.' },
    ),
  ),
  outcome: nullableSchema(
    Type.Enum(approvalOutcomes, {
      description:
        'Result of an approved request. `running`: in progress. `done`: completed. `failed`: the content could not be compiled, or had changed when it was due to start. Null: not approved.',
    }),
  ),
})
export type ApprovalResource = Static<typeof ApprovalResource>
