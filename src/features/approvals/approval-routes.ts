import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import { type Page, PageQuery, sendList, sent } from '../../http/resource/list.ts'
import type { Actor } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { readUuid } from '../../lib/ids.ts'
import { Approval, ApprovalBody, approvalStates, DecisionBody } from './approval-schemas.ts'
import { askApproval, type Decider, decideApproval, withdrawApproval } from './approvals.ts'
import { approvalKey, listApprovals, loadApproval, type StoredApproval, showApproval } from './stored.ts'

const tags = ['approvals']
const params = Type.Object({ id: Type.String() })

function actorOf({ actor }: FastifyRequest): Actor {
  if (!actor) throw new Error('a route with a right has somebody who acts')
  return actor
}

/** Who decides. Throws 403 for a key: the word of another person is asked for. */
function deciderOf({ person, rights }: FastifyRequest): Decider {
  if (!person) throw new Problem(403, 'session-required', 'People decide on approvals: sign in.')
  return { actor: { type: 'person', id: person.id, name: person.name }, rights: rights ?? [] }
}

function readRoutes(app: App, { db }: Context): void {
  app.get('/approvals', {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list approvals, newest first',
      querystring: Type.Object({ ...PageQuery.properties, state: Type.Optional(Type.Enum(approvalStates)) }),
      response: { 200: sent(Type.Array(Approval)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      async function* rows(page: Page<string>) {
        for (const row of await listApprovals(db, account, query.state, page)) yield showApproval(row)
      }
      return sendList(request, reply, {
        rows,
        key: ({ id }) => id,
        readKey: (value) => (typeof value === 'string' ? readUuid(value) : undefined),
      })
    },
  })
  app.get('/approvals/:id', {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read an approval', params, response: { 200: Approval } },
    handler: async (request) => showApproval(await loadApproval(db, approvalKey(request.account, request.params.id))),
  })
}

function writeRoutes(app: App, context: Context): void {
  const audit = { object: 'approval' }
  /** The approval that a request is about, and a handle that tells what becomes of it. */
  const toldOf = (request: FastifyRequest<{ Params: { id: string } }>, isGone = false) => {
    const key = approvalKey(request.account, request.params.id)
    const look = lookOf(async (tx) => showApproval(await loadApproval(tx, key)))
    return { key, db: told(request, context.db, isGone ? { before: look.before! } : look) }
  }
  app.post('/approvals', {
    config: { right: 'write', audit: { object: 'approval', id: null } },
    schema: {
      tags,
      summary: 'ask for an approval',
      description: 'of the validation of an action, or the activation of a notification or workflow, as it is now',
      body: ApprovalBody,
      response: { 200: Approval },
    },
    handler: async (request) => {
      const db = told(request, context.db, { after: (_, made) => showApproval(made as StoredApproval) })
      return showApproval(await askApproval({ ...context, db }, request.account, request.body, actorOf(request)))
    },
  })
  app.post('/approvals/:id/decision', {
    config: { right: 'send', audit },
    schema: {
      tags,
      summary: 'approve or refuse',
      description: 'What is approved is done in the same transaction. What has changed since is 409, and stale.',
      params,
      body: DecisionBody,
      response: { 200: Approval },
    },
    handler: async (request) => {
      const { key, db } = toldOf(request)
      return showApproval(await decideApproval({ ...context, db }, key, request.body, deciderOf(request)))
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
export function approvalRoutes(app: App, context: Context): void {
  readRoutes(app, context)
  writeRoutes(app, context)
}
