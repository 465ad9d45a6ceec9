import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { actionFamilies } from '../../../channels/action-families.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { AUDIT_EXEMPTIONS, createAuditedDb } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer } from '../../../http/resource/list.ts'
import { requireReplaceApproval } from '../../../http/resource/live-writes.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { hashAuditAddress } from '../../audit/address-hash.ts'
import { ActionExecutionResult, actionExecutionRefusals, actionRenderRefusals } from '../execution/item-schemas.ts'
import { ActionParams, parseFamilyActionRef } from '../resource/ids.ts'
import { findRestrictedTester } from '../validation/testers.ts'
import { executeRcsAction } from './executions.ts'
import { sendRcsProofs } from './proofs.ts'
import {
  RcsExecutionItem,
  RcsExecutionItems,
  RcsProofBody,
  RcsProofResult,
  RcsRenderItem,
  RcsRenderParams,
  RcsRenderQuery,
  RcsRenderResult,
} from './rcs-item-schemas.ts'
import { renderRcsAction, renderRcsForContact } from './renders.ts'

const ACTION_PATH = '/channel/rcs/actions/:id'
const RCS_FAMILY = actionFamilies.rcs
const ROUTE_TAGS = ['RCS actions']
/** Members of an item that replace those of the action; a fallback of null removes the action's fallback. */
const listOverrides = ({ content, fallback }: RcsExecutionItem): string[] => [
  ...(content == null ? [] : ['content']),
  ...(fallback === undefined ? [] : ['fallback']),
]
const RESULTS_RESPONSE = { 200: declareStreamedAnswer(Type.Array(ActionExecutionResult)) }

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function serializeResults(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

function registerSendRoutes(app: HttpApp, context: ServiceContext): void {
  const routeOptions = {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    config: { right: 'send', audit: AUDIT_EXEMPTIONS.execution },
  } as const
  app.post(`${ACTION_PATH}/execution`, {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'send an RCS message to one contact',
      refusals: actionExecutionRefusals,
      params: ActionParams,
      body: RcsExecutionItem,
      response: { 200: declareStreamedAnswer(ActionExecutionResult) },
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const executionRequest = { items: [body], isList: false }
      requireReplaceApproval(request, { ...executionRequest, replaces: listOverrides })
      const [result] = await executeRcsAction(
        context,
        parseFamilyActionRef(RCS_FAMILY, account, params.id),
        executionRequest,
      )
      return serializeResults(reply, result)
    },
  })
  app.post(`${ACTION_PATH}/executions`, {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'send an RCS message to each of many contacts',
      refusals: actionExecutionRefusals,
      params: ActionParams,
      body: RcsExecutionItems,
      response: RESULTS_RESPONSE,
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const executionRequest = { items: body, isList: true }
      requireReplaceApproval(request, { ...executionRequest, replaces: listOverrides })
      return serializeResults(
        reply,
        await executeRcsAction(context, parseFamilyActionRef(RCS_FAMILY, account, params.id), executionRequest),
      )
    },
  })
}

function registerProofRoute(app: HttpApp, context: ServiceContext): void {
  app.post(`${ACTION_PATH}/proof`, {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    config: { right: 'send', rightOfPeople: 'write', audit: { object: RCS_FAMILY.sourceKind } },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'send proofs of an RCS action',
      operationId: 'sendRcsActionProofs',
      refusals: {
        403: 'approval-required own-address',
        409: `${actionExecutionRefusals[409]} segment-missing segment-expired segment-not-test test-too-large`,
      },
      description: 'to a contact, to test segments, or in place of them to a number',
      params: ActionParams,
      body: RcsProofBody,
      response: { 200: declareStreamedAnswer(Type.Array(RcsProofResult)) },
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const { testSegments, mediaForTest } = body
      const address = mediaForTest == null ? null : hashAuditAddress(context.masterKeys, mediaForTest)
      const auditDetails = { testSegments: testSegments ?? null, mediaForTest: address }
      const tester = await findRestrictedTester(context.db, account, request)
      const proofContext = { ...context, db: createAuditedDb(request, context.db, { said: auditDetails }) }
      return serializeResults(
        reply,
        await sendRcsProofs(proofContext, parseFamilyActionRef(RCS_FAMILY, account, params.id), { ...body, tester }),
      )
    },
  })
}

function registerRenderRoutes(app: HttpApp, context: ServiceContext): void {
  const config = { right: 'read' } as const
  const response = { 200: declareStreamedAnswer(RcsRenderResult) }
  app.post(`${ACTION_PATH}/render`, {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    config,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'show an RCS message as one contact would get it',
      refusals: { ...actionRenderRefusals, 403: 'approval-required' },
      params: ActionParams,
      body: RcsRenderItem,
      response,
    },
    handler: async ({ account, params, body, masking }, reply) =>
      serializeResults(
        reply,
        await renderRcsAction(context, parseFamilyActionRef(RCS_FAMILY, account, params.id), body, masking),
      ),
  })
}

function registerContactRenderRoutes(app: HttpApp, context: ServiceContext): void {
  const config = { right: 'read' } as const
  const response = { 200: declareStreamedAnswer(RcsRenderResult) }
  app.get(`${ACTION_PATH}/render/contact/:contact`, {
    config,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'show an RCS message as a contact would get it',
      operationId: 'renderRcsActionForContact',
      refusals: actionRenderRefusals,
      params: RcsRenderParams,
      response,
    },
    handler: async ({ account, params, masking }, reply) => {
      const contactId = { type: 'id', value: params.contact } as const
      return serializeResults(
        reply,
        await renderRcsForContact(context, parseFamilyActionRef(RCS_FAMILY, account, params.id), contactId, masking),
      )
    },
  })
  app.get(`${ACTION_PATH}/render/contact`, {
    config,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'show an RCS message as the contact of a unicity or a hash would get it',
      operationId: 'renderRcsActionForContactByQuery',
      refusals: actionRenderRefusals,
      params: ActionParams,
      querystring: RcsRenderQuery,
      response,
    },
    handler: async ({ account, params, query, masking }, reply) => {
      const { unicity, hash } = query
      if ((unicity === undefined) === (hash === undefined))
        throw badRequestProblem('unicity', 'give either unicity or hash')
      const contactId =
        unicity === undefined
          ? ({ type: 'hash', value: hash ?? '' } as const)
          : ({ type: 'unicity', value: unicity } as const)
      return serializeResults(
        reply,
        await renderRcsForContact(context, parseFamilyActionRef(RCS_FAMILY, account, params.id), contactId, masking),
      )
    },
  })
}

/** RCS messages on demand: sent, sent as proofs, or only looked at. */
export function rcsExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  registerSendRoutes(app, context)
  registerProofRoute(app, context)
  registerRenderRoutes(app, context)
  registerContactRenderRoutes(app, context)
}
