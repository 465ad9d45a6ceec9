import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { actionFamilies } from '../../../channels/families.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { AUDIT_EXEMPTIONS, createAuditedDb } from '../../../http/resource/audit.ts'
import { declareStreamedAnswer } from '../../../http/resource/list.ts'
import { requireReplaceApproval } from '../../../http/resource/live-writes.ts'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { hashAuditAddress } from '../../audit/address-hash.ts'
import { ActionExecutionResult } from '../execution/item-schemas.ts'
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

const PATH = '/channel/rcs/actions/:id'
const family = actionFamilies.rcs
const tags = ['RCS actions']
/** What an item has in place of what the action has; a fallback of null takes that away. */
const replaces = ({ content, fallback }: RcsExecutionItem): string[] => [
  ...(content == null ? [] : ['content']),
  ...(fallback === undefined ? [] : ['fallback']),
]
const results = { 200: declareStreamedAnswer(Type.Array(ActionExecutionResult)) }

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function answer(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

function sendRoutes(app: HttpApp, context: ServiceContext): void {
  const common = {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    config: { right: 'send', audit: AUDIT_EXEMPTIONS.execution },
  } as const
  app.post(`${PATH}/execution`, {
    ...common,
    schema: {
      tags,
      summary: 'send an RCS message to one contact',
      params: ActionParams,
      body: RcsExecutionItem,
      response: { 200: declareStreamedAnswer(ActionExecutionResult) },
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const asked = { items: [body], isList: false }
      requireReplaceApproval(request, { ...asked, replaces })
      const [result] = await executeRcsAction(context, parseFamilyActionRef(family, account, params.id), asked)
      return answer(reply, result)
    },
  })
  app.post(`${PATH}/executions`, {
    ...common,
    schema: {
      tags,
      summary: 'send an RCS message to each of many contacts',
      params: ActionParams,
      body: RcsExecutionItems,
      response: results,
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const asked = { items: body, isList: true }
      requireReplaceApproval(request, { ...asked, replaces })
      return answer(reply, await executeRcsAction(context, parseFamilyActionRef(family, account, params.id), asked))
    },
  })
}

function proofRoute(app: HttpApp, context: ServiceContext): void {
  app.post(`${PATH}/proof`, {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    config: { right: 'send', rightOfPeople: 'write', audit: { object: family.sourceKind } },
    schema: {
      tags,
      summary: 'send proofs of an RCS action',
      description: 'to a contact, to test segments, or in place of them to a number',
      params: ActionParams,
      body: RcsProofBody,
      response: { 200: declareStreamedAnswer(Type.Array(RcsProofResult)) },
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const { testSegments, mediaForTest } = body
      const address = mediaForTest == null ? null : hashAuditAddress(context.masterKeys, mediaForTest)
      const said = { testSegments: testSegments ?? null, mediaForTest: address }
      const tester = await findRestrictedTester(context.db, account, request)
      const proving = { ...context, db: createAuditedDb(request, context.db, { said }) }
      return answer(
        reply,
        await sendRcsProofs(proving, parseFamilyActionRef(family, account, params.id), { ...body, tester }),
      )
    },
  })
}

function renderRoutes(app: HttpApp, context: ServiceContext): void {
  const config = { right: 'read' } as const
  const response = { 200: declareStreamedAnswer(RcsRenderResult) }
  app.post(`${PATH}/render`, {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    config,
    schema: {
      tags,
      summary: 'show an RCS message as one contact would get it',
      params: ActionParams,
      body: RcsRenderItem,
      response,
    },
    handler: async ({ account, params, body, masking }, reply) =>
      answer(reply, await renderRcsAction(context, parseFamilyActionRef(family, account, params.id), body, masking)),
  })
  app.get(`${PATH}/render/contact/:contact`, {
    config,
    schema: { tags, summary: 'show an RCS message as a contact would get it', params: RcsRenderParams, response },
    handler: async ({ account, params, masking }, reply) => {
      const sought = { type: 'id', value: params.contact } as const
      return answer(
        reply,
        await renderRcsForContact(context, parseFamilyActionRef(family, account, params.id), sought, masking),
      )
    },
  })
  app.get(`${PATH}/render/contact`, {
    config,
    schema: {
      tags,
      summary: 'show an RCS message as the contact of a unicity or a hash would get it',
      params: ActionParams,
      querystring: RcsRenderQuery,
      response,
    },
    handler: async ({ account, params, query, masking }, reply) => {
      const { unicity, hash } = query
      if ((unicity === undefined) === (hash === undefined))
        throw badRequestProblem('unicity', 'give either unicity or hash')
      const sought =
        unicity === undefined
          ? ({ type: 'hash', value: hash ?? '' } as const)
          : ({ type: 'unicity', value: unicity } as const)
      return answer(
        reply,
        await renderRcsForContact(context, parseFamilyActionRef(family, account, params.id), sought, masking),
      )
    },
  })
}

/** RCS messages on demand: sent, sent as proofs, or only looked at. */
export function rcsExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  sendRoutes(app, context)
  proofRoute(app, context)
  renderRoutes(app, context)
}
