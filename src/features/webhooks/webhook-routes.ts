import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { checkPrecondition } from '../../http/middleware/conditional.ts'
import { type Audited, type Look, lookOf, tell, told } from '../../http/resource/audit.ts'
import { PageQuery, readNumberKey, sendList, sent } from '../../http/resource/list.ts'
import { patched } from '../../http/resource/patch.ts'
import { registerResource } from '../../http/resource/resource.ts'
import { checkBody } from '../../http/validation/validation.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readUuid } from '../../lib/ids.ts'
import { reachOf } from '../../lib/net/guarded-client.ts'
import { dateOfMs, readInstant } from '../../lib/time/period.ts'
import {
  cursorOf,
  type DeadLetterCursor,
  deleteDeadLetters,
  listDeadLetters,
  replayDeadLetters,
} from './dead-letters.ts'
import { listTries } from './tries.ts'
import {
  DeadLetter,
  DeadLetterChoice,
  NewSecret,
  NewWebhook,
  TestResult,
  Webhook,
  WebhookBody,
  WebhookTry,
} from './webhook-schemas.ts'
import { testWebhook } from './webhook-test.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  lockWebhook,
  readWebhook,
  rotateSecret,
  untilWebhooksListen,
  updateWebhook,
  type WebhookDependencies,
  type WebhookKey,
} from './webhooks.ts'

const tags = ['webhooks']
const Params = Type.Object({ id: Type.String() })
const PATH = '/webhooks/:id'

function keyOf({ account, params }: { account: AccountId; params: { id: string } }): WebhookKey {
  const id = readUuid(params.id)
  if (id === undefined) throw notFound('webhook', params.id)
  return { account, id }
}

const audit: Audited = { object: 'webhook' }

function lookAt(key: WebhookKey): Look {
  return lookOf(
    (tx) => readWebhook(tx, key),
    (tx) => lockWebhook(tx, key),
  )
}

/** What the audit says of a choice of dead letters. */
function chosen(choice: object | null): object {
  const { ids } = (choice ?? {}) as { ids?: readonly unknown[] }
  return { deadLetters: ids ? ids.length : 'all' }
}

/** The body that results from a PATCH, checked like that of a PUT. It holds only changed members, so that changing a name resumes nothing. */
function patchedBody(request: FastifyRequest, present: Webhook): WebhookBody {
  const members = Object.entries(checkBody(request, WebhookBody, patched(request, present)))
  const before = new Map<string, unknown>(Object.entries(present))
  return Object.fromEntries(
    members.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name))),
  )
}

interface Called {
  request: FastifyRequest<{ Params: { id: string } }>
  reply: FastifyReply
}

async function patchWebhook(db: Db, { request, reply }: Called, dependencies: WebhookDependencies): Promise<Webhook> {
  const key = keyOf(request)
  const webhook = await inTransaction(told(request, db, lookAt(key)), async (tx) => {
    await lockWebhook(tx, key)
    await checkPrecondition(request, reply, Webhook, () => readWebhook(tx, key))
    return updateWebhook(tx, key, patchedBody(request, await readWebhook(tx, key)), dependencies)
  })
  await untilWebhooksListen(db, key.account)
  return webhook
}

function resourceRoutes(app: App, { db }: Context, dependencies: () => WebhookDependencies): void {
  registerResource<string, WebhookBody, Webhook>(app, db, {
    path: '/webhooks',
    tag: 'webhooks',
    name: 'webhook',
    readId: readUuid,
    schema: { shown: Webhook, body: WebhookBody },
    rights: { read: 'read', write: 'admin' },
    list: listWebhooks,
    read: (handle, account, id) => readWebhook(handle, { account, id }),
    update: (handle, account, id, body) => updateWebhook(handle, { account, id }, body, dependencies()),
    remove: (handle, account, id) => deleteWebhook(handle, { account, id }),
    lock: (handle, account, id) => lockWebhook(handle, { account, id }),
    committed: untilWebhooksListen,
  })
  app.post('/webhooks', {
    config: { right: 'admin', audit },
    schema: { tags, summary: 'create a webhook', body: WebhookBody, response: { 200: NewWebhook } },
    handler: (request) => {
      const { account, body } = request
      const look: Look = { after: (tx, id) => readWebhook(tx, { account, id: id as string }) }
      return createWebhook(told(request, db, look), account, body, dependencies())
    },
  })
  app.patch(PATH, {
    config: { right: 'admin', etag: true, audit },
    schema: {
      tags,
      summary: 'change members of a webhook',
      description: 'a merge patch (RFC 7396), or operations (RFC 6902)',
      params: Params,
      response: { 200: Webhook },
    },
    handler: (request, reply) => patchWebhook(db, { request, reply }, dependencies()),
  })
}

function readCursor(value: unknown): DeadLetterCursor | undefined {
  if (!Array.isArray(value)) return undefined
  const [given, id] = value
  const instant = typeof given === 'string' ? readInstant(given) : undefined
  const date = instant === undefined ? undefined : dateOfMs(instant)
  return date === undefined || typeof id !== 'string' || readUuid(id) === undefined ? undefined : [date, id]
}

const DEAD_LETTERS = `${PATH}/deadletters`

function deadLetterList(app: App, { db }: Context): void {
  app.get(DEAD_LETTERS, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list what could not be delivered',
      params: Params,
      querystring: PageQuery,
      response: { 200: sent(Type.Array(DeadLetter)) },
    },
    handler: (request, reply) => {
      const key = keyOf(request)
      return sendList(request, reply, {
        rows: (page: { after: DeadLetterCursor | undefined; limit: number | undefined }) =>
          listDeadLetters(db, key, page),
        key: cursorOf,
        readKey: readCursor,
      })
    },
  })
}

function deadLetterRoutes(app: App, { db, clock }: Context): void {
  app.delete(DEAD_LETTERS, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'delete dead letters: those chosen, or all',
      params: Params,
      body: Type.Union([DeadLetterChoice, Type.Null()]),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await deleteDeadLetters(told(request, db, { said: chosen(request.body) }), keyOf(request), request.body ?? {})
      return reply.code(204).send(null)
    },
  })
  app.post(`${DEAD_LETTERS}/replay`, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'deliver dead letters again',
      params: Params,
      body: DeadLetterChoice,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const handle = told(request, db, { said: chosen(request.body) })
      await replayDeadLetters(handle, keyOf(request), request.body, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}

function deliveryRoutes(app: App, { db, clock }: Context): void {
  app.get(`${PATH}/deliveries`, {
    config: { right: 'admin' },
    schema: {
      tags,
      summary: 'list the requests to a webhook in the last hour, newest first',
      description: 'At most 1,000; without bodies.',
      params: Params,
      querystring: PageQuery,
      response: { 200: sent(Type.Array(WebhookTry)) },
    },
    handler: (request, reply) => {
      const key = keyOf(request)
      return sendList(request, reply, {
        rows: (page: { after: number | undefined; limit: number | undefined }) => listTries(db, key, clock.now(), page),
        key: ({ id }) => id,
        readKey: readNumberKey,
      })
    },
  })
}

export function webhookRoutes(app: App, context: Context): void {
  const { db, clock, config, masterKeys } = context
  const dependencies = (): WebhookDependencies => ({
    masterKeys,
    reach: reachOf(config.outgoingAllow),
    now: new Date(clock.now()),
  })
  resourceRoutes(app, context, dependencies)
  deadLetterList(app, context)
  deadLetterRoutes(app, context)
  deliveryRoutes(app, context)
  app.post(`${PATH}/secret`, {
    config: { right: 'admin', audit },
    schema: { tags, summary: 'give a webhook a new secret', params: Params, response: { 200: NewSecret } },
    handler: (request) => {
      const handle = told(request, db, { said: { secret: 'renewed' } })
      return inTransaction(handle, (tx) => rotateSecret(tx, keyOf(request), dependencies()))
    },
  })
  app.post(`${PATH}/test`, {
    config: { right: 'admin', audit },
    schema: { tags, summary: 'send a webhook a body of type test', params: Params, response: { 200: TestResult } },
    handler: async (request) => {
      const result = await testWebhook(db, keyOf(request), { ...dependencies(), clock })
      await tell(request, db, { said: { success: result.success } })
      return result
    },
  })
}
