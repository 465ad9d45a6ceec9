import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { UNTOLD } from '../../http/resource/audit.ts'
import { registerLinks } from '../../http/resource/links.ts'
import { PageQuery, sendList, sent } from '../../http/resource/list.ts'
import { type Resource, registerResource } from '../../http/resource/resource.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readContactId, readIntId } from '../../lib/ids.ts'
import { changesApproved } from './approved-use.ts'
import { readCounted } from './counts/counts.ts'
import {
  addContacts,
  addMember,
  ensureMember,
  listMembers,
  removeContacts,
  removeMember,
  requireContact,
} from './members/members.ts'
import { linksOf } from './segment-links.ts'
import { LeavingTargets, ListedSegment, Segment, SegmentBody, SegmentTargets } from './segment-schemas.ts'
import {
  createSegment,
  deleteSegment,
  listSegments,
  lockSegment,
  readSegment,
  segmentsOf,
  updateSegment,
} from './segments.ts'

const tags = ['segments']
const SegmentParams = Type.Object({ id: Type.String() })
const MemberParams = Type.Object({ targetId: Type.String(), segmentId: Type.String() })
const Nothing = Type.Null()

/** With this Accept the strings are concatenated unicities only, never contact ids; as the type of a body it has no meaning. */
const UNICITY_TYPE = 'application/vnd.mperf.v8.unicity'
const named = { right: 'write', accepts: [UNICITY_TYPE], audit: UNTOLD.contact } as const

function segmentOf(text: string): number {
  const id = readIntId(text)
  if (id === undefined) throw notFound('segment', text)
  return id
}

function contactOf(text: string): number {
  const id = readContactId(text)
  if (id === undefined) throw notFound('target', text)
  return id
}

function wantsUnicity(accept: string | undefined): boolean {
  return (accept ?? '').toLowerCase().includes(UNICITY_TYPE)
}

function memberRoutes(app: App, { db, clock }: Context): void {
  app.get('/segments/:id/targets', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'ids of the targets of a segment',
      params: SegmentParams,
      querystring: PageQuery,
      response: { 200: sent(Type.Array(Type.String())) },
    },
    handler: (request, reply) =>
      sendList(request, reply, {
        rows: (page: { after: string | undefined; limit: number | undefined }) =>
          listMembers(db, request.account, segmentOf(request.params.id), { ...page, now: clock.now() }),
        key: (id) => id,
        readKey: (value) => (typeof value === 'string' && readContactId(value) !== undefined ? value : undefined),
      }),
  })
  app.put('/segments/:id/targets', {
    config: named,
    schema: {
      tags,
      summary: 'add targets to a static segment',
      params: SegmentParams,
      body: SegmentTargets,
      response: { 200: Type.Integer() },
    },
    handler: ({ params, body, account, headers }) =>
      addContacts(db, account, segmentOf(params.id), { names: body, onlyUnicity: wantsUnicity(headers.accept) }),
  })
  app.delete('/segments/:id/targets', {
    config: named,
    schema: {
      tags,
      summary: 'take targets out of a static segment',
      params: SegmentParams,
      body: LeavingTargets,
      response: { 204: Nothing },
    },
    handler: async ({ params, body, account, headers }, reply) => {
      const names = Array.isArray(body) ? body : undefined
      await removeContacts(db, account, segmentOf(params.id), { names, onlyUnicity: wantsUnicity(headers.accept) })
      return reply.code(204).send(null)
    },
  })
}

/** The form that modules of some shops use; its body is ignored. */
function shopRoute(app: App, { db }: Context): void {
  app.post('/segments/:id/targets/:target', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: {
      tags,
      summary: 'add a target to a static segment, if it is not in it',
      params: Type.Object({ id: Type.String(), target: Type.String() }),
      response: { 204: Nothing },
    },
    handler: async ({ params, account }, reply) => {
      await ensureMember(db, account, contactOf(params.target), segmentOf(params.id))
      return reply.code(204).send(null)
    },
  })
}

function contactSegmentRoutes(app: App, { db, clock }: Context): void {
  const Query = Type.Object({ type: Type.Optional(Type.Enum(['static', 'dynamic'])) })
  app.get('/targets/:id/segments', {
    config: { right: 'read' },
    schema: {
      tags: ['targets'],
      summary: 'segments a target is in',
      params: SegmentParams,
      querystring: Query,
      response: { 200: Type.Array(ListedSegment) },
    },
    handler: async ({ params, query, account }) => {
      const contact = contactOf(params.id)
      await requireContact(db, account, contact)
      return segmentsOf(db, account, contact, { type: query.type, now: clock.now() })
    },
  })
  app.post('/targets/:targetId/segments/:segmentId', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: {
      tags: ['targets'],
      summary: 'add a target to a static segment',
      params: MemberParams,
      response: { 204: Nothing },
    },
    handler: async ({ params, account }, reply) => {
      await addMember(db, account, contactOf(params.targetId), segmentOf(params.segmentId))
      return reply.code(204).send(null)
    },
  })
  app.delete('/targets/:targetId/segments/:segmentId', {
    config: { right: 'write', audit: UNTOLD.contact },
    schema: {
      tags: ['targets'],
      summary: 'take a target out of a static segment',
      params: MemberParams,
      response: { 204: Nothing },
    },
    handler: async ({ params, account }, reply) => {
      await removeMember(db, account, contactOf(params.targetId), segmentOf(params.segmentId))
      return reply.code(204).send(null)
    },
  })
}

export function segmentRoutes(app: App, context: Context): void {
  const segments: Resource<number, SegmentBody, Segment> = {
    path: '/segments',
    tag: 'segments',
    name: 'segment',
    readId: readIntId,
    schema: { shown: Segment, listed: ListedSegment, body: SegmentBody },
    list: listSegments,
    create: (db, account, body) => createSegment(db, account, body, context.clock.now()),
    read: (db, account, id) => readCounted(db, account, id, { now: context.clock.now() }),
    update: updateSegment,
    remove: deleteSegment,
    lock: lockSegment,
    live: {
      ...{ what: 'criteria by which something is sent that was approved', asksApproval: true, asksSend: false },
      instead:
        'take the validation back, or deactivate what is active, change the segment, and ask for an approval again.',
      isLive: async (tx, account, id, { method, body }) =>
        method === 'PUT' && changesApproved(tx, account, id, body as SegmentBody),
    },
  }
  registerResource(app, context.db, segments)
  registerLinks(app, context.db, { ...segments, read: readSegment }, linksOf)
  memberRoutes(app, context)
  shopRoute(app, context)
  contactSegmentRoutes(app, context)
}
