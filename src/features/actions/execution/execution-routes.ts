import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type ChannelName, channelNames, channelOfMedia, channels } from '../../../channels/facts.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT, mediaType } from '../../../http/middleware/parsing.ts'
import { UNTOLD } from '../../../http/resource/audit.ts'
import { sent } from '../../../http/resource/list.ts'
import { membersGiven, refuseReplacing } from '../../../http/resource/live-writes.ts'
import { renderAction } from '../content/renders.ts'
import { ActionParams, refOf } from '../resource/ids.ts'
import { executeAction } from './executions.ts'
import {
  ExecutionItem,
  ExecutionItems,
  ExecutionResult,
  RenderItem,
  RenderItems,
  RenderResult,
  replacing,
} from './item-schemas.ts'

/** Media types that name the channel of what is sent or rendered. */
const accepts = channelNames.flatMap((name) => channels[name].mediaType ?? [])

const replaces = membersGiven<ExecutionItem>(replacing)

/** The channel a request's media type names; undefined where the action's channel decides. */
function channelOf({ headers }: FastifyRequest): ChannelName | undefined {
  return channelOfMedia(mediaType(headers['content-type']))
}

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function answer(reply: FastifyReply, results: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(results))
}

/** Messages on demand: sent, or only looked at; one by one, or up to a thousand. */
export function executionRoutes(app: App, context: Context): void {
  const common = { bodyLimit: LARGE_BODY_LIMIT }
  app.post('/actions/:id/execution', {
    ...common,
    config: { right: 'send', accepts, audit: UNTOLD.execution },
    schema: {
      tags: ['actions'],
      summary: 'send a message to one contact',
      params: ActionParams,
      body: ExecutionItem,
      response: { 200: sent(ExecutionResult) },
    },
    handler: async (request, reply) => {
      const asked = { items: [request.body], isList: false, channel: channelOf(request) }
      refuseReplacing(request, { ...asked, replaces })
      const [result] = await executeAction(context, refOf(request.account, request.params.id), asked)
      return answer(reply, result)
    },
  })
  app.post('/actions/:id/executions', {
    ...common,
    config: { right: 'send', accepts, audit: UNTOLD.execution },
    schema: {
      tags: ['actions'],
      summary: 'send a message to each of many contacts',
      params: ActionParams,
      body: ExecutionItems,
      response: { 200: sent(Type.Array(ExecutionResult)) },
    },
    handler: async (request, reply) => {
      const asked = { items: request.body, isList: true, channel: channelOf(request) }
      refuseReplacing(request, { ...asked, replaces })
      return answer(reply, await executeAction(context, refOf(request.account, request.params.id), asked))
    },
  })
  app.post('/actions/:id/render', {
    ...common,
    config: { right: 'read', accepts },
    schema: {
      tags: ['actions'],
      summary: 'show a message as one contact would get it',
      params: ActionParams,
      body: RenderItem,
      response: { 200: sent(RenderResult) },
    },
    handler: async (request, reply) => {
      const asked = { items: [request.body], isList: false, channel: channelOf(request), personal: request.masking }
      const [result] = await renderAction(context, refOf(request.account, request.params.id), asked)
      return answer(reply, result)
    },
  })
  app.post('/actions/:id/renders', {
    ...common,
    config: { right: 'read', accepts },
    schema: {
      tags: ['actions'],
      summary: 'show messages as many contacts would get them',
      params: ActionParams,
      body: RenderItems,
      response: { 200: sent(Type.Array(RenderResult)) },
    },
    handler: async (request, reply) => {
      const asked = { items: request.body, isList: true, channel: channelOf(request), personal: request.masking }
      return answer(reply, await renderAction(context, refOf(request.account, request.params.id), asked))
    },
  })
}
