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
      summary: 'Send a message to one contact',
      description:
        'Sends the message of a validated action (state 50, type `mailMessage` or `smsMessage`) and returns its result once it is stored for sending. An unknown contact is a result of type `error`, also with 200. A stamp ID used before returns the first success and sends nothing. Suppression list, consent and marketing pressure are checked later, when the message is sent.',
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
      summary: 'Send a message to many contacts',
      description:
        'Sends the message of a validated action to the contacts of up to 1,000 items, and returns one result per item in the order of the request. A malformed item refuses the whole request with 400, and nothing is sent. A stamp ID used before returns the first success and sends nothing.',
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
      summary: 'Render a message for one contact',
      description:
        'Returns the message as the contact would receive it; without a recipient, for an empty contact. Nothing is sent, stored or counted, and the action may be in any state. Template errors and unknown contacts are results of type `error`, also with 200.',
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
      summary: 'Render messages for many contacts',
      description:
        'Returns the messages of up to 1,000 items as the contacts would receive them, in the order of the request. Nothing is sent, stored or counted. Template errors and unknown contacts are results of type `error`.',
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
