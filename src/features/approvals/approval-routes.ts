import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit.ts'
import { declareStreamedAnswer, ListPageQuery, type ListPageRequest, sendList } from '../../http/resource/list.ts'
import type { Actor } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { ApprovalBody, ApprovalDecisionBody, ApprovalResource, approvalStates } from './approval-schemas.ts'
import { type ApprovalDecider, decideApproval, requestApproval, withdrawApproval } from './approvals.ts'
import { listApprovals, loadApproval, parseApprovalKey, type StoredApproval, toApprovalResource } from './stored.ts'

const tags = ['approvals']
const params = Type.Object({ id: Type.String() })

function actorOf({ actor }: FastifyRequest): Actor {
  if (!actor) throw new Error('a route with a right has somebody who acts')
  return actor
}

/** Who decides. Throws 403 for a key: the word of another person is asked for. */
function deciderOf({ person, rights }: FastifyRequest): ApprovalDecider {
  if (!person) throw new Problem(403, 'session-required', 'People decide on approvals: sign in.')
  return { actor: { type: 'person', id: person.id, name: person.name }, rights: rights ?? [] }
}

function readRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/approvals', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list approvals, newest first',
      querystring: Type.Object({ ...ListPageQuery.properties, state: Type.Optional(Type.Enum(approvalStates)) }),
      response: { 200: declareStreamedAnswer(Type.Array(ApprovalResource)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      async function* rows(page: ListPageRequest<string>) {
        for (const row of await listApprovals(db, account, query.state, page)) yield toApprovalResource(row)
      }
      return sendList(request, reply, {
        rows,
        key: ({ id }) => id,
        readKey: (value) => (typeof value === 'string' ? parseUuid(value) : undefined),
      })
    },
  })
  app.get('/approvals/:id', {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read an approval', params, response: { 200: ApprovalResource } },
    handler: async (request) =>
      toApprovalResource(await loadApproval(db, parseApprovalKey(request.account, request.params.id))),
  })
}

function writeRoutes(app: HttpApp, context: ServiceContext): void {
  const audit = { object: 'approval' }
  /** The approval that a request is about, and a handle that tells what becomes of it. */
  const toldOf = (request: FastifyRequest<{ Params: { id: string } }>, isGone = false) => {
    const key = parseApprovalKey(request.account, request.params.id)
    const look = createAuditSnapshot(async (tx) => toApprovalResource(await loadApproval(tx, key)))
    return { key, db: createAuditedDb(request, context.db, isGone ? { before: look.before! } : look) }
  }
  app.post('/approvals', {
    config: { right: 'write', audit: { object: 'approval', id: null } },
    schema: {
      tags,
      summary: 'ask for an approval',
      description: 'of the validation of an action, or the activation of a notification or workflow, as it is now',
      body: ApprovalBody,
      response: { 200: ApprovalResource },
    },
    handler: async (request) => {
      const db = createAuditedDb(request, context.db, {
        after: (_, made) => toApprovalResource(made as StoredApproval),
      })
      return toApprovalResource(
        await requestApproval({ ...context, db }, request.account, request.body, actorOf(request)),
      )
    },
  })
  app.post('/approvals/:id/decision', {
    config: { right: 'send', audit },
    schema: {
      tags,
      summary: 'approve or refuse',
      description: 'What is approved is done in the same transaction. What has changed since is 409, and stale.',
      params,
      body: ApprovalDecisionBody,
      response: { 200: ApprovalResource },
    },
    handler: async (request) => {
      const { key, db } = toldOf(request)
      return toApprovalResource(await decideApproval({ ...context, db }, key, request.body, deciderOf(request)))
    },
  })
  app.delete('/approvals/:id', {
    config: { right: 'read', audit },
    schema: { tags, summary: 'take a request for an approval back', params, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { key, db } = toldOf(request, true)
      await withdrawApproval(db, key, actorOf(request))
      return reply.code(204).send(null)
    },
  })
}

/** What people ask others to let be sent. */
export function approvalRoutes(app: HttpApp, context: ServiceContext): void {
  readRoutes(app, context)
  writeRoutes(app, context)
}
