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
      summary: 'ids of the targets of a segment',
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
      summary: 'add targets to a static segment',
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
      summary: 'take targets out of a static segment',
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
      summary: 'add a target to a static segment, if it is not in it',
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
    type: Type.Optional(Type.Enum(['static', 'dynamic'], { description: 'only this kind' })),
  })
  app.get('/targets/:id/segments', {
    config: { right: 'read' },
    schema: {
      tags: ['targets'],
      summary: 'segments a target is in',
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
      summary: 'add a target to a static segment',
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
      summary: 'take a target out of a static segment',
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
      create: { refusals: segmentRefusals },
      update: { refusals: segmentChangeRefusals },
      remove: { refusals: segmentChangeRefusals },
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
      what: 'criteria by which something is sent that was approved',
      asksApproval: true,
      asksSend: false,
      instead:
        'take the validation back, or deactivate what is active, change the segment, and ask for an approval again.',
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
