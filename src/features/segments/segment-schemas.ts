import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { COMPONENT_REF_KEYWORD } from '../../lib/errors/schema-reference.ts'
import { int32Limits } from '../../lib/int32.ts'

const SegmentKind = Type.Enum(['static', 'dynamic'], {
  description:
    'Type of the segment. `static`: contacts are added and removed by requests. `dynamic`: the ' + 'criteria decide.',
})
const SegmentName = Type.String({ maxLength: 1000 })
const Instant = Type.Union([Type.String(), Type.Integer()])
const NullableCriteria = Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
  description: 'Criteria of a dynamic segment. Null selects no contact; `{"all": []}` selects every contact.',
  [COMPONENT_REF_KEYWORD]: 'SegmentCriteria',
})

const listedMembers = {
  type: SegmentKind,
  id: Type.Integer({ description: 'ID of the segment.' }),
  name: Type.String({ description: 'Name of the segment.' }),
  creation: Type.String({ format: 'date-time', description: 'Time of creation, in UTC.' }),
  expiration: Type.String({
    format: 'date-time',
    description:
      'Time of expiration, in UTC. An expired segment can still be edited, but nothing can be sent to ' + 'it.',
  }),
  isTest: Type.Boolean({ description: 'True if tests can be sent to the segment.' }),
  targetsCount: Type.Integer({
    description: 'Number of contacts in the segment. For a dynamic segment, the last count or estimate.',
  }),
  targetsCountDate: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Time at which the contacts were counted, in UTC. Null: not counted yet, or a static segment.',
  }),
  targetsCountExact: Type.Boolean({
    description:
      'True if the number was counted; false if it is an estimate, or if the segment was not counted ' + 'yet.',
  }),
  parentId: Type.Union([Type.Integer(), Type.Null()], {
    description: 'ID of the parent segment of a dynamic segment; only its members can be members. Null: none.',
  }),
  searchId: Type.Null({ description: 'Always null.' }),
}

/** A segment in a list. */
export const SegmentListEntry = Type.Object(listedMembers)
export type SegmentListEntry = Static<typeof SegmentListEntry>

export const SegmentDocument = Type.Object({
  ...listedMembers,
  description: Type.Union([Type.String(), Type.Null()], {
    description: 'Description of the segment, for users. Null: none.',
  }),
  criteria: NullableCriteria,
})
export type SegmentDocument = Static<typeof SegmentDocument>

/** A request; members that the service sets may come back and are ignored. */
export const SegmentBody = Type.Object({
  type: Type.Optional(SegmentKind),
  name: Type.Optional({
    ...SegmentName,
    description: 'Name of the segment: 1 to 100 characters, unique in the account regardless of case.',
  }),
  description: Type.Optional(
    Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], {
      description: 'Description of the segment, for users. Null: none.',
    }),
  ),
  expiration: Type.Optional(
    Type.Union([Instant, Type.Null()], {
      description:
        'Time of expiration, in UTC. An expired segment can still be edited, but nothing can be sent to ' +
        'it. Absent or null: one year after creation; in an update, unchanged.',
    }),
  ),
  isTest: Type.Optional(
    Type.Union([Type.Boolean(), Type.Null()], {
      description: 'True if tests can be sent to the segment. Default: false. Null: not given.',
    }),
  ),
  parentId: Type.Optional(
    Type.Union([Type.Integer(int32Limits), Type.Null()], {
      description: 'ID of the parent segment of a dynamic segment; only its members can be members. Null: none.',
    }),
  ),
  criteria: Type.Optional(NullableCriteria),
  id: ignoredMemberSchema,
  creation: ignoredMemberSchema,
  targetsCount: ignoredMemberSchema,
  targetsCountDate: ignoredMemberSchema,
  targetsCountExact: ignoredMemberSchema,
  searchId: ignoredMemberSchema,
})
export type SegmentBody = Static<typeof SegmentBody>

/** Contacts by id or concatenated unicity. */
export const SegmentTargets = Type.Array(Type.String(), { maxItems: 50 })
/** {} and null: everybody. An object with members is something else, and takes nobody out. */
export const LeavingSegmentTargets = Type.Union([
  Type.Array(Type.String(), { maxItems: 1000 }),
  Type.Object({}, { maxProperties: 0 }),
  Type.Null(),
])

/** Problem types of the operations that write segments by status. */
export const segmentRefusals = {
  409: 'name-taken segment-depth segment-dynamic segment-linked segment-ring segment-type already-member',
}
export const segmentChangeRefusals = { ...segmentRefusals, 403: 'approval-required' }
