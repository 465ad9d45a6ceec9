import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT_BYTES } from '../../../http/middleware/parsing.ts'
import { AUDIT_EXEMPTIONS, createAuditedDb } from '../../../http/resource/audit.ts'
import { declareStreamedAnswer } from '../../../http/resource/list.ts'
import { createMemberLister, requireReplaceApproval } from '../../../http/resource/live-writes.ts'
import { findRestrictedTester } from '../../actions/validation/testers.ts'
import { PushItem, PushItems, PushResult, PushTestItem, pushOverrideMembers } from '../item-schemas.ts'
import { NotificationParams, parseNotificationKey } from '../keys.ts'
import { sendNotificationItems, testNotification } from './executions.ts'

const tags = ['notifications']
const results = { 200: declareStreamedAnswer(Type.Array(PushResult)) }

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function answer(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

const params = NotificationParams
const replaces = createMemberLister<PushItem>(pushOverrideMembers)

/** Push messages on demand: sent, or sent as tests. */
export function pushExecutionRoutes(app: HttpApp, context: ServiceContext): void {
  sendRoutes(app, context)
  testRoutes(app, context)
}

function sendRoutes(app: HttpApp, context: ServiceContext): void {
  const common = {
    bodyLimit: LARGE_BODY_LIMIT_BYTES,
    config: { right: 'send', audit: AUDIT_EXEMPTIONS.execution },
  } as const
  app.post('/notifications/:id/execution', {
    ...common,
    schema: {
      ...{ tags, summary: 'send a notification to one contact or device', params },
      body: PushItem,
      response: { 200: declareStreamedAnswer(PushResult) },
    },
    handler: async (request, reply) => {
      const asked = { items: [request.body], isList: false }
      requireReplaceApproval(request, { ...asked, replaces })
      const [result] = await sendNotificationItems(context, parseNotificationKey(request), asked)
      return answer(reply, result)
    },
  })
  app.post('/notifications/:id/executions', {
    ...common,
    schema: {
      ...{ tags, summary: 'send a notification to each of many contacts or devices', params },
      body: PushItems,
      response: results,
    },
    handler: async (request, reply) => {
      const asked = { items: request.body, isList: true }
      requireReplaceApproval(request, { ...asked, replaces })
      return answer(reply, await sendNotificationItems(context, parseNotificationKey(request), asked))
    },
  })
}

/** Messages for a look at them: people who may write are given some. */
function testRoutes(app: HttpApp, context: ServiceContext): void {
  const config = { right: 'send', rightOfPeople: 'write', audit: { object: pushChannelTraits.sourceKind } } as const
  const common = { bodyLimit: LARGE_BODY_LIMIT_BYTES, config }
  /** Of who gets it, the audit says the kind alone. */
  const test = async (
    request: FastifyRequest<{ Params: { id: string } }>,
    version: string | null,
    item: PushTestItem,
  ) => {
    const { recipient } = item
    const said = { version, recipient: { type: 'type' in recipient ? recipient.type : 'contact' } }
    const tester = await findRestrictedTester(context.db, request.account, request)
    const handle = createAuditedDb(request, context.db, { said })
    return testNotification({ ...context, db: handle }, parseNotificationKey(request), { version, item, tester })
  }
  app.post('/notifications/:id/test', {
    ...common,
    schema: {
      ...{ tags, summary: 'send the master of a notification as a test', params: NotificationParams },
      body: PushTestItem,
      response: results,
    },
    handler: async (request, reply) => answer(reply, await test(request, null, request.body)),
  })
  app.post('/notifications/:id/versions/:version/test', {
    ...common,
    schema: {
      ...{ tags, summary: 'send a version of a notification as a test' },
      params: Type.Object({ id: Type.String(), version: Type.String() }),
      body: PushTestItem,
      response: results,
    },
    handler: async (request, reply) => answer(reply, await test(request, request.params.version, request.body)),
  })
}
