import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notification } from '../../../channels/push/facts.ts'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { LARGE_BODY_LIMIT } from '../../../http/middleware/parsing.ts'
import { told, UNTOLD } from '../../../http/resource/audit.ts'
import { sent } from '../../../http/resource/list.ts'
import { membersGiven, refuseReplacing } from '../../../http/resource/live-writes.ts'
import { testerOf } from '../../actions/validation/testers.ts'
import { PushItem, PushItems, PushResult, PushTestItem, replacing } from '../item-schemas.ts'
import { keyOf, NotificationParams } from '../keys.ts'
import { executeNotification, testNotification } from './executions.ts'

const tags = ['notifications']
const results = { 200: sent(Type.Array(PushResult)) }

/** Written without the schema's serialiser: unions of a thousand items would cost more than the rest of the request. */
function answer(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
}

const params = NotificationParams
const replaces = membersGiven<PushItem>(replacing)

/** Push messages on demand: sent, or sent as tests. */
export function pushExecutionRoutes(app: App, context: Context): void {
  sendRoutes(app, context)
  testRoutes(app, context)
}

function sendRoutes(app: App, context: Context): void {
  const common = { bodyLimit: LARGE_BODY_LIMIT, config: { right: 'send', audit: UNTOLD.execution } } as const
  app.post('/notifications/:id/execution', {
    ...common,
    schema: {
      ...{ tags, summary: 'send a notification to one contact or device', params },
      body: PushItem,
      response: { 200: sent(PushResult) },
    },
    handler: async (request, reply) => {
      const asked = { items: [request.body], isList: false }
      refuseReplacing(request, { ...asked, replaces })
      const [result] = await executeNotification(context, keyOf(request), asked)
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
      refuseReplacing(request, { ...asked, replaces })
      return answer(reply, await executeNotification(context, keyOf(request), asked))
    },
  })
}

/** Messages for a look at them: people who may write are given some. */
function testRoutes(app: App, context: Context): void {
  const config = { right: 'send', rightOfPeople: 'write', audit: { object: notification.sourceKind } } as const
  const common = { bodyLimit: LARGE_BODY_LIMIT, config }
  /** Of who gets it, the audit says the kind alone. */
  const test = async (
    request: FastifyRequest<{ Params: { id: string } }>,
    version: string | null,
    item: PushTestItem,
  ) => {
    const { recipient } = item
    const said = { version, recipient: { type: 'type' in recipient ? recipient.type : 'contact' } }
    const tester = await testerOf(context.db, request.account, request)
    const handle = told(request, context.db, { said })
    return testNotification({ ...context, db: handle }, keyOf(request), { version, item, tester })
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
