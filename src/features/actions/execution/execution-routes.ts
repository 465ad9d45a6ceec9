import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  channelTraits,
  findMediaChannel,
  type SendingChannelName,
  sendingChannelNames,
} from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES, parseBareMediaType } from '../../../http/middleware/parsing.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer } from '../../../http/resource/list.ts'
import { createMemberLister, requireReplaceApproval } from '../../../http/resource/live-writes.ts'
import { renderAction } from '../content/renders.ts'
import { ActionParams, parseActionRef } from '../resource/ids.ts'
import { executeAction } from './executions.ts'
import {
  ActionExecutionItem,
  ActionExecutionItems,
  ActionExecutionResult,
  ActionRenderItem,
  ActionRenderItems,
  ActionRenderResult,
  actionExecutionRefusals,
  actionOverrideMembers,
  actionRenderRefusals,
} from './item-schemas.ts'

/** Media types that name the channel of what is sent or rendered. */
const CHANNEL_MEDIA_TYPES = sendingChannelNames.flatMap((name) => channelTraits[name].mediaType ?? [])

const listOverrideMembers = createMemberLister<ActionExecutionItem>(actionOverrideMembers)

/** The channel a request's media type names; undefined where the action's channel decides. */
function parseRequestChannel({ headers }: FastifyRequest): SendingChannelName | undefined {
  return findMediaChannel(parseBareMediaType(headers['content-type']))
}

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function serializeResults(reply: FastifyReply, results: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(results))
}

/** Messages on demand: sent, or only looked at; one by one, or up to a thousand. */
export function actionExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  const routeOptions = { bodyLimit: LARGE_BODY_LIMIT_BYTES }
  app.post('/actions/:id/execution', {
    ...routeOptions,
    config: { right: 'send', accepts: CHANNEL_MEDIA_TYPES, audit: AUDIT_EXEMPTIONS.execution },
    schema: {
      tags: ['actions'],
      summary: 'send a message to one contact',
      refusals: actionExecutionRefusals,
      params: ActionParams,
      body: ActionExecutionItem,
      response: { 200: declareStreamedAnswer(ActionExecutionResult) },
    },
    handler: async (request, reply) => {
      const executionRequest = { items: [request.body], isList: false, channel: parseRequestChannel(request) }
      requireReplaceApproval(request, { ...executionRequest, replaces: listOverrideMembers })
      const [result] = await executeAction(
        context,
        parseActionRef(request.account, request.params.id),
        executionRequest,
      )
      return serializeResults(reply, result)
    },
  })
  app.post('/actions/:id/executions', {
    ...routeOptions,
    config: { right: 'send', accepts: CHANNEL_MEDIA_TYPES, audit: AUDIT_EXEMPTIONS.execution },
    schema: {
      tags: ['actions'],
      summary: 'send a message to each of many contacts',
      refusals: actionExecutionRefusals,
      params: ActionParams,
      body: ActionExecutionItems,
      response: { 200: declareStreamedAnswer(Type.Array(ActionExecutionResult)) },
    },
    handler: async (request, reply) => {
      const executionRequest = { items: request.body, isList: true, channel: parseRequestChannel(request) }
      requireReplaceApproval(request, { ...executionRequest, replaces: listOverrideMembers })
      return serializeResults(
        reply,
        await executeAction(context, parseActionRef(request.account, request.params.id), executionRequest),
      )
    },
  })
  app.post('/actions/:id/render', {
    ...routeOptions,
    config: { right: 'read', accepts: CHANNEL_MEDIA_TYPES },
    schema: {
      tags: ['actions'],
      summary: 'show a message as one contact would get it',
      refusals: { ...actionRenderRefusals, 403: 'approval-required' },
      params: ActionParams,
      body: ActionRenderItem,
      response: { 200: declareStreamedAnswer(ActionRenderResult) },
    },
    handler: async (request, reply) => {
      const executionRequest = {
        items: [request.body],
        isList: false,
        channel: parseRequestChannel(request),
        personal: request.masking,
      }
      const [result] = await renderAction(context, parseActionRef(request.account, request.params.id), executionRequest)
      return serializeResults(reply, result)
    },
  })
  app.post('/actions/:id/renders', {
    ...routeOptions,
    config: { right: 'read', accepts: CHANNEL_MEDIA_TYPES },
    schema: {
      tags: ['actions'],
      summary: 'show messages as many contacts would get them',
      refusals: { ...actionRenderRefusals, 403: 'approval-required' },
      params: ActionParams,
      body: ActionRenderItems,
      response: { 200: declareStreamedAnswer(Type.Array(ActionRenderResult)) },
    },
    handler: async (request, reply) => {
      const executionRequest = {
        items: request.body,
        isList: true,
        channel: parseRequestChannel(request),
        personal: request.masking,
      }
      return serializeResults(
        reply,
        await renderAction(context, parseActionRef(request.account, request.params.id), executionRequest),
      )
    },
  })
}
