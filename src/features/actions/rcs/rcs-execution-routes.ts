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
      summary: 'Send an RCS message to one contact',
      description:
        'Sends the message of a validated action (state 50, type `rcsMessage`) and returns its result once it is stored for sending. An unknown contact is a result of type `error`, also with 200. A stamp ID used before returns the first success and sends nothing. Suppression list, consent and marketing pressure are checked later, when the message is sent.',
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
      summary: 'Send an RCS message to many contacts',
      description:
        'Sends the message of a validated action to the contacts of up to 1,000 items, and returns one result per item in the order of the request. A malformed item refuses the whole request with 400, and nothing is sent. A stamp ID used before returns the first success and sends nothing.',
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
      summary: 'Send proofs of an RCS action',
      operationId: 'sendRcsActionProofs',
      refusals: {
        403: 'approval-required own-address',
        409: `${actionExecutionRefusals[409]} segment-missing segment-expired segment-not-test test-too-large`,
      },
      description:
        'Sends proofs to a contact, to the contacts of test segments, or in their place to a phone number; at most 200. Returns one result per proof. Proofs obey the suppression list, skip consent and marketing pressure, and fall back to SMS only if the body contains `fallback`. The state does not change.',
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
      summary: 'Render an RCS message',
      description:
        'Returns the message as a contact would receive it; without a recipient, for an empty contact. Nothing is sent or recorded, and its links work but record nothing. Template errors and unknown contacts are results of type `error`, also with 200; an action without content is 409.',
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
      summary: 'Render an RCS message for a contact',
      description:
        'Returns the message of the action as the contact would receive it. Nothing is sent or recorded. An unknown contact is 404, and an action without content 409.',
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
      summary: 'Render an RCS message by unicity or hash',
      description:
        'Returns the message of the action as the contact found by `unicity` or `hash` would receive it; give exactly one of them. Nothing is sent or recorded. An unknown contact is 404, and an action without content 409.',
      operationId: 'renderRcsActionForContactByQuery',
      refusals: actionRenderRefusals,
      params: ActionParams,
      querystring: RcsRenderQuery,
      response,
    },
    handler: async ({ account, params, query, masking }, reply) => {
      const { unicity, hash } = query
      if ((unicity === undefined) === (hash === undefined))
        throw badRequestProblem('unicity', 'specify either unicity or hash')
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
