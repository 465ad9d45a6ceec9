import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { families } from '../../../channels/families.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT } from '../../../http/middleware/parsing.ts'
import { told, UNTOLD } from '../../../http/resource/audit.ts'
import { sent } from '../../../http/resource/list.ts'
import { refuseReplacing } from '../../../http/resource/live-writes.ts'
import { badRequest } from '../../../lib/errors/problem.ts'
import { addressHash } from '../../audit/address-hash.ts'
import { ExecutionResult } from '../execution/item-schemas.ts'
import { ActionParams, refIn } from '../resource/ids.ts'
import { testerOf } from '../validation/testers.ts'
import { executeRcsAction } from './executions.ts'
import { sendProofs } from './proofs.ts'
import {
  RcsExecutionItem,
  RcsExecutionItems,
  RcsProofBody,
  RcsProofResult,
  RcsRenderItem,
  RcsRenderResult,
  RenderParams,
  RenderQuery,
} from './rcs-item-schemas.ts'
import { renderForContact, renderRcsAction } from './renders.ts'

const PATH = '/channel/rcs/actions/:id'
const family = families.rcs
const tags = ['RCS actions']
/** What an item has in place of what the action has; a fallback of null takes that away. */
const replaces = ({ content, fallback }: RcsExecutionItem): string[] => [
  ...(content == null ? [] : ['content']),
  ...(fallback === undefined ? [] : ['fallback']),
]
const results = { 200: sent(Type.Array(ExecutionResult)) }

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function answer(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

function sendRoutes(app: App, context: Context): void {
  const common = { bodyLimit: LARGE_BODY_LIMIT, config: { right: 'send', audit: UNTOLD.execution } } as const
  app.post(`${PATH}/execution`, {
    ...common,
    schema: {
      tags,
      summary: 'send an RCS message to one contact',
      params: ActionParams,
      body: RcsExecutionItem,
      response: { 200: sent(ExecutionResult) },
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const asked = { items: [body], isList: false }
      refuseReplacing(request, { ...asked, replaces })
      const [result] = await executeRcsAction(context, refIn(family, account, params.id), asked)
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
      refuseReplacing(request, { ...asked, replaces })
      return answer(reply, await executeRcsAction(context, refIn(family, account, params.id), asked))
    },
  })
}

function proofRoute(app: App, context: Context): void {
  app.post(`${PATH}/proof`, {
    bodyLimit: LARGE_BODY_LIMIT,
    config: { right: 'send', rightOfPeople: 'write', audit: { object: family.sourceKind } },
    schema: {
      tags,
      summary: 'send proofs of an RCS action',
      description: 'to a contact, to test segments, or in place of them to a number',
      params: ActionParams,
      body: RcsProofBody,
      response: { 200: sent(Type.Array(RcsProofResult)) },
    },
    handler: async (request, reply) => {
      const { account, params, body } = request
      const { testSegments, mediaForTest } = body
      const address = mediaForTest == null ? null : addressHash(context.masterKeys, mediaForTest)
      const said = { testSegments: testSegments ?? null, mediaForTest: address }
      const tester = await testerOf(context.db, account, request)
      const proving = { ...context, db: told(request, context.db, { said }) }
      return answer(reply, await sendProofs(proving, refIn(family, account, params.id), { ...body, tester }))
    },
  })
}

function renderRoutes(app: App, context: Context): void {
  const config = { right: 'read' } as const
  const response = { 200: sent(RcsRenderResult) }
  app.post(`${PATH}/render`, {
    bodyLimit: LARGE_BODY_LIMIT,
    config,
    schema: {
      tags,
      summary: 'show an RCS message as one contact would get it',
      params: ActionParams,
      body: RcsRenderItem,
      response,
    },
    handler: async ({ account, params, body, masking }, reply) =>
      answer(reply, await renderRcsAction(context, refIn(family, account, params.id), body, masking)),
  })
  app.get(`${PATH}/render/contact/:contact`, {
    config,
    schema: { tags, summary: 'show an RCS message as a contact would get it', params: RenderParams, response },
    handler: async ({ account, params, masking }, reply) => {
      const sought = { type: 'id', value: params.contact } as const
      return answer(reply, await renderForContact(context, refIn(family, account, params.id), sought, masking))
    },
  })
  app.get(`${PATH}/render/contact`, {
    config,
    schema: {
      tags,
      summary: 'show an RCS message as the contact of a unicity or a hash would get it',
      params: ActionParams,
      querystring: RenderQuery,
      response,
    },
    handler: async ({ account, params, query, masking }, reply) => {
      const { unicity, hash } = query
      if ((unicity === undefined) === (hash === undefined)) throw badRequest('unicity', 'give either unicity or hash')
      const sought =
        unicity === undefined
          ? ({ type: 'hash', value: hash ?? '' } as const)
          : ({ type: 'unicity', value: unicity } as const)
      return answer(reply, await renderForContact(context, refIn(family, account, params.id), sought, masking))
    },
  })
}

/** RCS messages on demand: sent, sent as proofs, or only looked at. */
export function rcsExecutionRoutes(app: App, context: Context): void {
  sendRoutes(app, context)
  proofRoute(app, context)
  renderRoutes(app, context)
}
