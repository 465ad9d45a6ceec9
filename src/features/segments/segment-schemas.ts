import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32Limits } from '../../lib/int32.ts'

const SegmentKind = Type.Enum(['static', 'dynamic'], { description: 'which of the possible kinds it is' })
const SegmentName = Type.String({ maxLength: 1000 })
const Instant = Type.Union([Type.String(), Type.Integer()])
const NullableCriteria = Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
  description:
    'dynamic only: a group with one of all, any and none, each an array of groups and leaves, or a leaf, with type: ' +
    'field, segment, redList, bounce, event, subscription, creationDate, lastUpdateDate. null selects no contact',
})

const listedMembers = {
  type: SegmentKind,
  id: Type.Integer({ description: 'what names it in this account' }),
  name: Type.String({ description: 'the name that people give it' }),
  creation: Type.String({ format: 'date-time', description: 'when it was made, in UTC' }),
  expiration: Type.String({ format: 'date-time', description: 'until when it may be sent to, in UTC' }),
  isTest: Type.Boolean({ description: 'whether tests may be sent to it' }),
  targetsCount: Type.Integer({ description: 'how many contacts are in it' }),
  targetsCountDate: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'when the contacts were counted, in UTC',
  }),
  targetsCountExact: Type.Boolean({
    description: 'false: an estimate, as counting takes too long, or not counted yet (targetsCountDate null)',
  }),
  parentId: Type.Union([Type.Integer(), Type.Null()], { description: 'id of what it stands in' }),
  searchId: Type.Null({ description: 'always null' }),
}

/** A segment in a list. */
export const SegmentListEntry = Type.Object(listedMembers)
export type SegmentListEntry = Static<typeof SegmentListEntry>

export const SegmentDocument = Type.Object({
  ...listedMembers,
  description: Type.Union([Type.String(), Type.Null()], { description: 'words that say what it is for' }),
  criteria: NullableCriteria,
})
export type SegmentDocument = Static<typeof SegmentDocument>

/** A request; members that the service sets may come back and are ignored. */
export const SegmentBody = Type.Object({
  type: Type.Optional(SegmentKind),
  name: Type.Optional({ ...SegmentName, description: 'the name that people give it' }),
  description: Type.Optional(
    Type.Union([Type.String({ maxLength: 4000 }), Type.Null()], { description: 'words that say what it is for' }),
  ),
  expiration: Type.Optional(
    Type.Union([Instant, Type.Null()], {
      description: 'until when it may be sent to; null: a year after it was made, or as before',
    }),
  ),
  isTest: Type.Optional(Type.Union([Type.Boolean(), Type.Null()], { description: 'null: not given' })),
  parentId: Type.Optional(
    Type.Union([Type.Integer(int32Limits), Type.Null()], { description: 'id of what it stands in' }),
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
