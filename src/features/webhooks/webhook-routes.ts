import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import {
  type AuditObjectRule,
  type AuditSnapshotOptions,
  createAuditedDb,
  recordStandaloneAudit,
} from '../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, parseNumericListKey, sendList } from '../../http/resource/list.ts'
import { applyRequestPatch } from '../../http/resource/patch.ts'
import { changeResource, type RestResource, registerResource } from '../../http/resource/resource.ts'
import { parseBodyBySchema } from '../../http/validation/validation.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { formatIsoInstant, parseInstant } from '../../lib/time/period.ts'
import {
  type DeadLetterCursor,
  deadLetterCursor,
  deleteDeadLetters,
  listDeadLetters,
  replayDeadLetters,
} from './dead-letters.ts'
import { listWebhookTries } from './tries.ts'
import {
  CreatedWebhook,
  DeadLetter,
  DeadLetterSelection,
  RotatedWebhookSecret,
  WebhookBody,
  WebhookResource,
  WebhookTestResult,
  WebhookTry,
} from './webhook-schemas.ts'
import { testWebhook } from './webhook-test.ts'
import {
  createWebhook,
  deleteWebhook,
  type LockedWebhook,
  listWebhooks,
  loadWebhook,
  lockAndLoadWebhook,
  parseWebhookUrl,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookDependencies,
  type WebhookKey,
  waitForWebhookListeners,
} from './webhooks.ts'

const tags = ['webhooks']
const WebhookParams = Type.Object({ id: Type.String() })
const WEBHOOK_PATH = '/webhooks/:id'

function parseWebhookKey({ account, params }: { account: AccountId; params: { id: string } }): WebhookKey {
  const id = parseUuid(params.id)
  if (id === undefined) throw notFoundProblem('webhook', params.id)
  return { account, id }
}

const audit: AuditObjectRule = { object: 'webhook' }

/** Describes a selection of dead letters in the audit. */
function describeSelection(choice: object | null): object {
  const { ids } = (choice ?? {}) as { ids?: readonly unknown[] }
  return { deadLetters: ids ? ids.length : 'all' }
}

/** The body that results from a PATCH, checked like that of a PUT. It holds only changed members, so that changing a name resumes nothing. */
function buildPatchedBody(request: FastifyRequest, present: WebhookResource): WebhookBody {
  const patchedMembers = Object.entries(parseBodyBySchema(request, WebhookBody, applyRequestPatch(request, present)))
  const presentMembers = new Map<string, unknown>(Object.entries(present))
  return Object.fromEntries(
    patchedMembers.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(presentMembers.get(name))),
  )
}

/** Texts of the operations of the resource. */
const webhookOperations = {
  list: {
    summary: 'List the webhooks',
    description: 'Returns all webhooks with their state and statistics, by time of creation.',
  },
  read: {
    summary: 'Get a webhook',
    description: 'Returns the webhook with its state and statistics, without its secret.',
  },
  update: {
    summary: 'Update a webhook',
    description:
      'Absent members keep their values. `active: true` resumes a suspended webhook. A URL that may not be called is refused with 400.',
  },
  remove: {
    summary: 'Delete a webhook',
    description: 'Deletes the webhook with its undelivered events and dead letters.',
  },
}

function registerResourceRoutes(app: HttpApp, { db }: ServiceContext, dependencies: () => WebhookDependencies): void {
  const requireAllowedUrl = async ({ url }: WebhookBody): Promise<void> => {
    if (url !== undefined) await parseWebhookUrl(url, dependencies().reach)
  }
  const resource: RestResource<string, WebhookBody, WebhookResource, LockedWebhook> = {
    path: '/webhooks',
    tag: 'webhooks',
    name: 'webhook',
    readId: parseUuid,
    schema: { shown: WebhookResource, body: WebhookBody },
    operations: webhookOperations,
    rights: { read: 'read', write: 'admin' },
    list: listWebhooks,
    read: (handle, account, id) => loadWebhook(handle, { account, id }),
    prepare: (_db, _target, body) => requireAllowedUrl(body),
    update: (tx, webhook, body) => updateWebhook(tx, webhook, body, dependencies().now),
    remove: deleteWebhook,
    lock: (tx, account, id) => lockAndLoadWebhook(tx, { account, id }),
    show: ({ shown }) => shown,
    committed: waitForWebhookListeners,
  }
  registerResource(app, db, resource)
  app.post('/webhooks', {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'Create a webhook',
      description:
        'Returns the webhook with its signing secret, which is shown only here. Requires a name and a URL; a URL that may not be called is refused with 400. Events from then on are delivered at least once, in any order.',
      body: WebhookBody,
      response: { 200: CreatedWebhook },
    },
    handler: (request) => {
      const { account, body } = request
      const snapshot: AuditSnapshotOptions = { after: (tx, id) => loadWebhook(tx, { account, id: id as string }) }
      return createWebhook(createAuditedDb(request, db, snapshot), account, body, dependencies())
    },
  })
  app.patch(WEBHOOK_PATH, {
    config: { right: 'admin', etag: true, audit },
    schema: {
      tags,
      summary: 'Patch a webhook',
      description:
        'Changes single members: the body is a merge patch (RFC 7396), or a list of JSON Patch operations (RFC 6902). Only changed members take effect: a patch that leaves `active` as it is does not resume a suspended webhook.',
      params: WebhookParams,
      response: { 200: WebhookResource },
    },
    handler: (request) =>
      changeResource({ request, db }, resource, parseWebhookKey(request).id, {
        async change(tx, locked) {
          const body = buildPatchedBody(request, locked.stored.shown)
          await requireAllowedUrl(body)
          return updateWebhook(tx, locked, body, dependencies().now)
        },
      }),
  })
}

function parseCursor(value: unknown): DeadLetterCursor | undefined {
  if (!Array.isArray(value)) return undefined
  const [cursorDate, id] = value
  const instant = typeof cursorDate === 'string' ? parseInstant(cursorDate) : undefined
  const date = instant === undefined ? undefined : formatIsoInstant(instant)
  return date === undefined || typeof id !== 'string' || parseUuid(id) === undefined ? undefined : [date, id]
}

const DEAD_LETTERS_PATH = `${WEBHOOK_PATH}/deadletters`

function registerDeadLetterList(app: HttpApp, { db }: ServiceContext): void {
  app.get(DEAD_LETTERS_PATH, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'List the dead letters of a webhook',
      description:
        'Returns the deliveries that were given up after 72 hours or during a suspension, by time of their first event. They are kept for 30 days.',
      params: WebhookParams,
      querystring: ListPageQuery,
      response: { 200: declareStreamedAnswer(Type.Array(DeadLetter)) },
    },
    handler: (request, reply) => {
      const key = parseWebhookKey(request)
      return sendList(request, reply, {
        rows: (page: { after: DeadLetterCursor | undefined; limit: number | undefined }) =>
          listDeadLetters(db, key, page),
        key: deadLetterCursor,
        readKey: parseCursor,
      })
    },
  })
}

function registerDeadLetterRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.delete(DEAD_LETTERS_PATH, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'Delete dead letters of a webhook',
      description:
        'Deletes the dead letters with the given IDs or from the given period; without a selection, all of them. Unknown IDs are ignored.',
      params: WebhookParams,
      body: Type.Union([DeadLetterSelection, Type.Null()]),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await deleteDeadLetters(
        createAuditedDb(request, db, { said: describeSelection(request.body) }),
        parseWebhookKey(request),
        request.body ?? {},
      )
      return reply.code(204).send(null)
    },
  })
  app.post(`${DEAD_LETTERS_PATH}/replay`, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'Replay dead letters of a webhook',
      description:
        'Delivers the dead letters with the given IDs or from the given period again, with unchanged `webhook-id` and the full retry schedule. For a suspended webhook, each is tried once. A request without a selection is refused with 400; unknown IDs are ignored.',
      operationId: 'replayWebhookDeadLetters',
      params: WebhookParams,
      body: DeadLetterSelection,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const auditedDb = createAuditedDb(request, db, { said: describeSelection(request.body) })
      await replayDeadLetters(auditedDb, parseWebhookKey(request), request.body, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}

function registerDeliveryRoutes(app: HttpApp, { db, clock }: ServiceContext): void {
  app.get(`${WEBHOOK_PATH}/deliveries`, {
    config: { right: 'admin' },
    schema: {
      tags,
      summary: 'List the recent requests to a webhook',
      description: 'Returns at most 1,000 attempts of the last hour, newest first, without their bodies.',
      params: WebhookParams,
      querystring: ListPageQuery,
      response: { 200: declareStreamedAnswer(Type.Array(WebhookTry)) },
    },
    handler: (request, reply) => {
      const key = parseWebhookKey(request)
      return sendList(request, reply, {
        rows: (page: { after: number | undefined; limit: number | undefined }) =>
          listWebhookTries(db, key, clock.now(), page),
        key: ({ id }) => id,
        readKey: parseNumericListKey,
      })
    },
  })
}

export function webhookRoutes(app: HttpApp, context: ServiceContext): void {
  const { db, clock, config, masterKeys } = context
  const dependencies = (): WebhookDependencies => ({
    masterKeys,
    reach: createOutboundPolicy(config.outgoingAllow),
    now: new Date(clock.now()),
  })
  registerResourceRoutes(app, context, dependencies)
  registerDeadLetterList(app, context)
  registerDeadLetterRoutes(app, context)
  registerDeliveryRoutes(app, context)
  app.post(`${WEBHOOK_PATH}/secret`, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'Rotate the secret of a webhook',
      description:
        'Returns a new signing secret, which is shown only here. For 24 hours, requests carry signatures of both the new and the previous secret.',
      params: WebhookParams,
      response: { 200: RotatedWebhookSecret },
    },
    handler: (request) => {
      const auditedDb = createAuditedDb(request, db, { said: { secret: 'renewed' } })
      return inTransaction(auditedDb, (tx) => rotateWebhookSecret(tx, parseWebhookKey(request), dependencies()))
    },
  })
  app.post(`${WEBHOOK_PATH}/test`, {
    config: { right: 'admin', audit },
    schema: {
      tags,
      summary: 'Send a test event to a webhook',
      description:
        'Sends a signed body of type `test` immediately, whatever the state of the webhook, and returns the outcome. State and statistics do not change.',
      params: WebhookParams,
      response: { 200: WebhookTestResult },
    },
    handler: async (request) => {
      const result = await testWebhook(db, parseWebhookKey(request), { ...dependencies(), clock })
      await recordStandaloneAudit(request, db, { said: { success: result.success } })
      return result
    },
  })
}
