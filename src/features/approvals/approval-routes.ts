import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, type ListPageRequest, sendList } from '../../http/resource/list.ts'
import type { Actor } from '../../lib/account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { ACTION_NOT_READY_KINDS } from '../actions/validation/validation-schemas.ts'
import {
  APPROVAL_STATES_IN_WORDS,
  ApprovalBody,
  ApprovalDecisionBody,
  ApprovalResource,
  approvalStates,
} from './approval-schemas.ts'
import { type ApprovalDecider, decideApproval, requestApproval, withdrawApproval } from './approvals.ts'
import { listApprovals, loadApproval, parseApprovalKey, type StoredApproval, toApprovalResource } from './stored.ts'

const approvalRefusals = {
  403: 'session-required approval-own approval-of-another',
  409: 'approval-waiting approval-decided approval-stale',
}
const approvalExecutionRefusals = {
  ...approvalRefusals,
  409:
    `${approvalRefusals[409]} ${ACTION_NOT_READY_KINDS} notification-active notification-not-ready ` +
    'notification-state workflow-active workflow-flawed segment-gone webtask-gone',
  410: 'gone',
}
const approvalTags = ['approvals']
const approvalParams = Type.Object({ id: Type.String() })

function requireActor({ actor }: FastifyRequest): Actor {
  if (!actor) throw new Error('a route that requires a right has no actor')
  return actor
}

/** Returns the person who decides. Throws a 403 Problem for a key: a decision requires another person. */
function requireDecider({ person, rights }: FastifyRequest): ApprovalDecider {
  if (!person) throw new Problem(403, 'session-required', 'Only users can decide on approvals. Sign in.')
  return { actor: { type: 'person', id: person.id, name: person.name }, rights: rights ?? [] }
}

function registerReadRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/approvals', {
    config: { right: 'read' },
    schema: {
      tags: approvalTags,
      summary: 'List the approvals',
      description: 'Returns the requests for approval, decided ones included, newest first.',
      refusals: approvalRefusals,
      querystring: Type.Object({
        ...ListPageQuery.properties,
        state: Type.Optional(
          Type.Enum(approvalStates, {
            description: `State of the approvals to return. ${APPROVAL_STATES_IN_WORDS} Absent: all.`,
          }),
        ),
      }),
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
    schema: {
      tags: approvalTags,
      summary: 'Get an approval',
      description: 'Returns a request for approval with its state and decision.',
      refusals: approvalRefusals,
      params: approvalParams,
      response: { 200: ApprovalResource },
    },
    handler: async (request) =>
      toApprovalResource(await loadApproval(db, parseApprovalKey(request.account, request.params.id))),
  })
}

function registerWriteRoutes(app: HttpApp, context: ServiceContext): void {
  const auditOptions = { object: 'approval' }
  /** Returns the key of the approval in a request, and a database handle that audits its changes. */
  const openApprovalAudit = (request: FastifyRequest<{ Params: { id: string } }>, isGone = false) => {
    const key = parseApprovalKey(request.account, request.params.id)
    const snapshot = createAuditSnapshot(async (tx) => toApprovalResource(await loadApproval(tx, key)))
    return { key, db: createAuditedDb(request, context.db, isGone ? { before: snapshot.before! } : snapshot) }
  }
  app.post('/approvals', {
    config: { right: 'write', audit: { object: 'approval', id: null } },
    schema: {
      tags: approvalTags,
      summary: 'Request an approval',
      refusals: approvalExecutionRefusals,
      description:
        'Requests that another user approve the validation of an action or the activation of a notification or workflow, in its present version. Refused with 409 if the object already has a waiting request, or could not be validated or activated now; `errors` lists the reasons.',
      body: ApprovalBody,
      response: { 200: ApprovalResource },
    },
    handler: async (request) => {
      const db = createAuditedDb(request, context.db, {
        after: (_, storedApproval) => toApprovalResource(storedApproval as StoredApproval),
      })
      return toApprovalResource(
        await requestApproval({ ...context, db }, request.account, request.body, requireActor(request)),
      )
    },
  })
  app.post('/approvals/:id/decision', {
    config: { right: 'send', audit: auditOptions },
    schema: {
      tags: approvalTags,
      summary: 'Decide on an approval',
      refusals: approvalExecutionRefusals,
      description:
        'Approves or refuses a request. Requires a signed-in user with the right `send` other than the requester. Approving validates or activates the object in the same transaction. If the object has changed since the request, the answer is 409 and the approval becomes `stale`.',
      params: approvalParams,
      body: ApprovalDecisionBody,
      response: { 200: ApprovalResource },
    },
    handler: async (request) => {
      const { key, db } = openApprovalAudit(request)
      return toApprovalResource(await decideApproval({ ...context, db }, key, request.body, requireDecider(request)))
    },
  })
  app.delete('/approvals/:id', {
    config: { right: 'read', audit: auditOptions },
    schema: {
      tags: approvalTags,
      summary: 'Withdraw a request for approval',
      description: 'Deletes a request that is not decided yet. Only the requester can withdraw it.',
      operationId: 'withdrawApproval',
      refusals: approvalRefusals,
      params: approvalParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { key, db } = openApprovalAudit(request, true)
      await withdrawApproval(db, key, requireActor(request))
      return reply.code(204).send(null)
    },
  })
}

/** Routes of approvals: people request the approval of a send, others decide. */
export function approvalRoutes(app: HttpApp, context: ServiceContext): void {
  registerReadRoutes(app, context)
  registerWriteRoutes(app, context)
}
