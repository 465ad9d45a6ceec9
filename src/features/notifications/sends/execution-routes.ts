import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { AUDIT_EXEMPTIONS, createAuditedDb } from '../../../http/resource/audit-requests.ts'
import { declareStreamedAnswer } from '../../../http/resource/list.ts'
import { createMemberLister, requireReplaceApproval } from '../../../http/resource/live-writes.ts'
import { findRestrictedTester } from '../../actions/validation/testers.ts'
import { PushItem, PushItems, PushResult, PushTestItem, pushOverrideMembers } from '../item-schemas.ts'
import { NotificationParams, parseNotificationKey } from '../keys.ts'
import { notificationChangeRefusals } from '../notification-schemas.ts'
import { sendNotificationItems, testNotification } from './executions.ts'

const ROUTE_TAGS = ['notifications']
const RESULTS_RESPONSE = { 200: declareStreamedAnswer(Type.Array(PushResult)) }

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function serializeResults(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

const routeParams = NotificationParams
const listOverrideMembers = createMemberLister<PushItem>(pushOverrideMembers)

/** Push messages on demand: sent, or sent as tests. */
export function pushExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  registerSendRoutes(app, context)
  registerTestRoutes(app, context)
}

function registerSendRoutes(app: HttpApp, context: ServiceContext): void {
  const routeOptions = {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    config: { right: 'send', audit: AUDIT_EXEMPTIONS.execution },
  } as const
  app.post('/notifications/:id/execution', {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Send a notification',
      description:
        'Accepts the message for one contact or device and returns the result, which can be an error. A ' +
        'contact receives it on every device that has not muted it. The conditions choose the version ' +
        'unless `version` names one. The answer is 409 if the notification or its application is inactive. ' +
        'A repeated stamp ID sends nothing.',
      params: routeParams,
      refusals: notificationChangeRefusals,
      body: PushItem,
      response: { 200: declareStreamedAnswer(PushResult) },
    },
    handler: async (request, reply) => {
      const executionRequest = { items: [request.body], isList: false }
      requireReplaceApproval(request, { ...executionRequest, replaces: listOverrideMembers })
      const [result] = await sendNotificationItems(context, parseNotificationKey(request), executionRequest)
      return serializeResults(reply, result)
    },
  })
  app.post('/notifications/:id/executions', {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Send a notification to many recipients',
      description:
        'Accepts at most 1,000 messages and returns one result for each, in order. An unknown recipient is ' +
        'an error in its result; a malformed item is refused with 400, and nothing is sent. The answer is ' +
        '409 if the notification or its application is inactive. A repeated stamp ID sends nothing.',
      params: routeParams,
      refusals: notificationChangeRefusals,
      body: PushItems,
      response: RESULTS_RESPONSE,
    },
    handler: async (request, reply) => {
      const executionRequest = { items: request.body, isList: true }
      requireReplaceApproval(request, { ...executionRequest, replaces: listOverrideMembers })
      return serializeResults(
        reply,
        await sendNotificationItems(context, parseNotificationKey(request), executionRequest),
      )
    },
  })
}

/** Messages for a look at them: people who may write are given some. */
function registerTestRoutes(app: HttpApp, context: ServiceContext): void {
  const config = { right: 'send', rightOfPeople: 'write', audit: { object: pushChannelTraits.sourceKind } } as const
  const routeOptions = { bodyLimit: LARGE_BODY_LIMIT_BYTES, config }
  /** The audit records only the kind of the recipient. */
  const sendTest = async (
    request: FastifyRequest<{ Params: { id: string } }>,
    version: string | null,
    item: PushTestItem,
  ) => {
    const { recipient } = item
    const auditDetails = { version, recipient: { type: 'type' in recipient ? recipient.type : 'contact' } }
    const tester = await findRestrictedTester(context.db, request.account, request)
    const auditedDb = createAuditedDb(request, context.db, { said: auditDetails })
    return testNotification({ ...context, db: auditedDb }, parseNotificationKey(request), { version, item, tester })
  }
  app.post('/notifications/:id/test', {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Send a test of a notification',
      description:
        'Sends the master version at once and returns one result per contact. Contacts of a test segment, ' +
        'at most 200, or one contact or device receive it; devices that have muted messages do not. The ' +
        'notification can be inactive. Tests count in no report.',
      params: NotificationParams,
      refusals: { ...notificationChangeRefusals, 403: 'approval-required own-address' },
      body: PushTestItem,
      response: RESULTS_RESPONSE,
    },
    handler: async (request, reply) => serializeResults(reply, await sendTest(request, null, request.body)),
  })
  app.post('/notifications/:id/versions/:version/test', {
    ...routeOptions,
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Send a test of a notification version',
      description:
        'Sends this version at once and returns one result per contact. Contacts of a test segment, at ' +
        'most 200, or one contact or device receive it; devices that have muted messages do not. The ' +
        'notification can be inactive. Tests count in no report.',
      refusals: { ...notificationChangeRefusals, 403: 'approval-required own-address' },
      params: Type.Object({ id: Type.String(), version: Type.String() }),
      body: PushTestItem,
      response: RESULTS_RESPONSE,
    },
    handler: async (request, reply) =>
      serializeResults(reply, await sendTest(request, request.params.version, request.body)),
  })
}
