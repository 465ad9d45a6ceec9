import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { AUDIT_EXEMPTIONS } from '../../http/resource/audit-requests.ts'
import { registerLinksRoute } from '../../http/resource/links.ts'
import { declareStreamedAnswer, ListPageQuery, sendList } from '../../http/resource/list.ts'
import { type RestResource, registerResource } from '../../http/resource/resource.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseContactId, parseInt32Id } from '../../lib/ids.ts'
import { isApprovedAudienceChange } from './approved-use.ts'
import { readCountedSegment } from './counts/counts.ts'
import {
  addContactsToSegment,
  addSegmentMember,
  ensureSegmentMember,
  listSegmentMembers,
  removeContactsFromSegment,
  removeSegmentMember,
  requireContact,
} from './members/members.ts'
import { readSegmentLinks } from './segment-links.ts'
import {
  LeavingSegmentTargets,
  SegmentBody,
  SegmentDocument,
  SegmentListEntry,
  SegmentTargets,
  segmentChangeRefusals,
  segmentRefusals,
} from './segment-schemas.ts'
import {
  createSegment,
  deleteSegment,
  listContactSegments,
  listSegments,
  lockSegment,
  readSegment,
  updateSegment,
} from './segments.ts'

const tags = ['segments']
const SegmentParams = Type.Object({ id: Type.String() })
const MemberParams = Type.Object({ targetId: Type.String(), segmentId: Type.String() })
const EmptyResponse = Type.Null()

/** With this Accept the strings are concatenated unicities only, never contact ids; as the type of a body it has no meaning. */
const UNICITY_MEDIA_TYPE = 'application/vnd.mperf.v8.unicity'
const memberWriteConfig = { right: 'write', accepts: [UNICITY_MEDIA_TYPE], audit: AUDIT_EXEMPTIONS.contact } as const

function requireSegmentId(text: string): number {
  const id = parseInt32Id(text)
  if (id === undefined) throw notFoundProblem('segment', text)
  return id
}

function requireContactId(text: string): number {
  const id = parseContactId(text)
  if (id === undefined) throw notFoundProblem('target', text)
  return id
}

function isUnicityRequested(accept: string | undefined): boolean {
  return (accept ?? '').toLowerCase().includes(UNICITY_MEDIA_TYPE)
}

function registerMemberRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get('/segments/:id/targets', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'List the contacts of a segment',
      description:
        'Returns the IDs of the members in ascending order. The criteria of a dynamic segment are ' +
        'evaluated for each request, so the list is always current.',
      params: SegmentParams,
      querystring: ListPageQuery,
      response: { 200: declareStreamedAnswer(Type.Array(Type.String())) },
    },
    handler: (request, reply) =>
      sendList(request, reply, {
        rows: (page: { after: string | undefined; limit: number | undefined }) =>
          listSegmentMembers(db, request.account, requireSegmentId(request.params.id), { ...page, now: clock.now() }),
        key: (id) => id,
        readKey: (value) => (typeof value === 'string' && parseContactId(value) !== undefined ? value : undefined),
      }),
  })
  app.put('/segments/:id/targets', {
    config: memberWriteConfig,
    schema: {
      tags,
      summary: 'Add contacts to a static segment',
      description:
        'Adds at most 50 contacts, given by ID or by concatenated unicity, and returns the number that ' +
        'were added; existing members and unknown contacts are skipped. With `Accept: ' +
        'application/vnd.mperf.v8.unicity`, strings are read as unicities only. A dynamic segment is ' +
        'refused with 409.',
      operationId: 'addSegmentTargets',
      refusals: segmentChangeRefusals,
      params: SegmentParams,
      body: SegmentTargets,
      response: { 200: Type.Integer() },
    },
    handler: ({ params, body, account, headers }) =>
      addContactsToSegment(db, account, requireSegmentId(params.id), {
        names: body,
        onlyUnicity: isUnicityRequested(headers.accept),
      }),
  })
  app.delete('/segments/:id/targets', {
    config: memberWriteConfig,
    schema: {
      tags,
      summary: 'Remove contacts from a static segment',
      description:
        'Removes the contacts given, at most 1,000, by ID or by concatenated unicity. Without a body, or ' +
        'with `{}`, all members are removed; an empty array removes none. A dynamic segment is refused ' +
        'with 409.',
      operationId: 'removeSegmentTargets',
      refusals: segmentChangeRefusals,
      params: SegmentParams,
      body: LeavingSegmentTargets,
      response: { 204: EmptyResponse },
    },
    handler: async ({ params, body, account, headers }, reply) => {
      const names = Array.isArray(body) ? body : undefined
      await removeContactsFromSegment(db, account, requireSegmentId(params.id), {
        names,
        onlyUnicity: isUnicityRequested(headers.accept),
      })
      return reply.code(204).send(null)
    },
  })
}

/** The form that modules of some shops use; its body is ignored. */
function registerShopRoute(app: HttpApp, { db }: ServiceContext): void {
  app.post('/segments/:id/targets/:target', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags,
      summary: 'Add a contact to a static segment',
      description:
        'Adds the contact; if it is a member already, nothing changes and the answer is the same. The body ' +
        'is ignored. A dynamic segment is refused with 409.',
      operationId: 'addSegmentTarget',
      refusals: segmentChangeRefusals,
      params: Type.Object({ id: Type.String(), target: Type.String() }),
      response: { 204: EmptyResponse },
    },
    handler: async ({ params, account }, reply) => {
      await ensureSegmentMember(db, account, requireContactId(params.target), requireSegmentId(params.id))
      return reply.code(204).send(null)
    },
  })
}

function registerContactSegmentRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  const TypeQuery = Type.Object({
    type: Type.Optional(
      Type.Enum(['static', 'dynamic'], { description: 'Type of the segments to return. Absent: both.' }),
    ),
  })
  app.get('/targets/:id/segments', {
    config: { right: 'read' },
    schema: {
      tags: ['targets'],
      summary: 'List the segments of a contact',
      description:
        'Returns the static segments that the contact is a member of and the dynamic segments whose ' +
        'criteria it meets now, in ascending order of ID. Expired segments are included.',
      params: SegmentParams,
      querystring: TypeQuery,
      response: { 200: Type.Array(SegmentListEntry) },
    },
    handler: async ({ params, query, account }) => {
      const contact = requireContactId(params.id)
      await requireContact(db, account, contact)
      return listContactSegments(db, account, contact, { type: query.type, now: clock.now() })
    },
  })
  app.post('/targets/:targetId/segments/:segmentId', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags: ['targets'],
      summary: 'Make a contact a member of a segment',
      description:
        'Adds the contact to a static segment. If it is a member already, or the segment is dynamic, the ' +
        'answer is 409.',
      operationId: 'addTargetToSegment',
      refusals: { 409: 'segment-dynamic already-member' },
      params: MemberParams,
      response: { 204: EmptyResponse },
    },
    handler: async ({ params, account }, reply) => {
      await addSegmentMember(db, account, requireContactId(params.targetId), requireSegmentId(params.segmentId))
      return reply.code(204).send(null)
    },
  })
  app.delete('/targets/:targetId/segments/:segmentId', {
    config: { right: 'write', audit: AUDIT_EXEMPTIONS.contact },
    schema: {
      tags: ['targets'],
      summary: 'Remove a contact from a static segment',
      description:
        'Removes the contact; the answer is 204 also if it is not a member. A dynamic segment is refused ' +
        'with 409.',
      operationId: 'removeTargetFromSegment',
      refusals: { 409: 'segment-dynamic already-member' },
      params: MemberParams,
      response: { 204: EmptyResponse },
    },
    handler: async ({ params, account }, reply) => {
      await removeSegmentMember(db, account, requireContactId(params.targetId), requireSegmentId(params.segmentId))
      return reply.code(204).send(null)
    },
  })
}

export function segmentApiRoutes(app: HttpApp, context: ServiceContext): void {
  const segmentResource: RestResource<number, SegmentBody, SegmentDocument> = {
    path: '/segments',
    tag: 'segments',
    name: 'segment',
    readId: parseInt32Id,
    schema: { shown: SegmentDocument, listed: SegmentListEntry, body: SegmentBody },
    operations: {
      list: {
        summary: 'List the segments',
        description:
          'Returns all segments of the account in ascending order of ID, without description and criteria. ' +
          'Counts are the stored ones; listing does not compute them.',
      },
      create: {
        summary: 'Create a segment',
        description:
          'Creates a segment and returns it; `type` and `name` are required. A dynamic segment is counted later. ' +
          'Without an expiration it expires after one year.',
        refusals: segmentRefusals,
      },
      read: {
        summary: 'Get a segment',
        description:
          'Returns a segment. The count of a dynamic segment that is older than 60 seconds is computed again if that ' +
          'takes at most 2 seconds; otherwise the previous count or an estimate is returned and a job computes it.',
      },
      update: {
        summary: 'Update a segment',
        description:
          'Changes the members given and returns the segment; the type cannot change. Campaigns that have stored their ' +
          'audience are not affected. If changes of the user need approval, other criteria or another parent are ' +
          'refused with 403 while something approved sends to the segment.',
        refusals: segmentChangeRefusals,
      },
      remove: {
        summary: 'Delete a segment',
        description:
          'Deletes the segment; its contacts remain. While something uses it, such as a campaign that is not finished, ' +
          'the answer is 409 and lists the uses in `links`.',
        refusals: segmentChangeRefusals,
      },
    },
    list: listSegments,
    create: (db, account, body) => createSegment(db, account, body, context.clock.now()),
    read: (db, account, id) => readCountedSegment(db, account, id, { now: context.clock.now() }),
    update: updateSegment,
    remove: deleteSegment,
    async lock(tx, account, id) {
      await lockSegment(tx, account, id)
      return readSegment(tx, account, id)
    },
    live: {
      what: 'the criteria of an approved audience',
      asksApproval: true,
      asksSend: false,
      instead:
        'Withdraw the validation or deactivate the object that uses the segment, change the segment, and request approval again.',
      isLive: async (tx, { account, id }, { method, body }) =>
        method === 'PUT' && isApprovedAudienceChange(tx, account, id, body as SegmentBody),
    },
  }
  registerResource(app, context.db, segmentResource)
  registerLinksRoute(app, context.db, { ...segmentResource, read: readSegment }, readSegmentLinks)
  registerMemberRoutes(app, context)
  registerShopRoute(app, context)
  registerContactSegmentRoutes(app, context)
}
