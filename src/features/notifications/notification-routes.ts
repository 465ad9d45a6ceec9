import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { ListSortKey } from '../../database/rows/sorting.ts'
import type { HttpApp } from '../../http/app-type.ts'
import {
  type AuditSnapshotOptions,
  createAuditedDb,
  createAuditSnapshot,
  createCopySnapshot,
} from '../../http/resource/audit-requests.ts'
import { declareStreamedAnswer, ListPageQuery, type ListPageRequest, sendList } from '../../http/resource/list.ts'
import { requireDirectSendRight } from '../../http/resource/live-writes.ts'
import { registerResource } from '../../http/resource/resource.ts'
import type { AccountId } from '../../lib/account.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import { attachActionReports } from '../actions/resource/listing.ts'
import { toNotificationResponse } from './document.ts'
import { duplicateNotification } from './duplication.ts'
import { NotificationParams, parseNotificationKey } from './keys.ts'
import {
  createNotificationKeyReader,
  type NotificationListFilter,
  notificationListParameters,
  parseNotificationListFilter,
} from './list-query.ts'
import {
  ListedNotification,
  NotificationBody,
  NotificationResponse,
  notificationChangeRefusals,
  notificationRefusals,
} from './notification-schemas.ts'
import {
  activateNotification,
  type CheckedNotificationChange,
  checkNotificationChange,
  createNotification,
  deactivateNotification,
  deleteNotification,
  updateNotification,
} from './notifications.ts'
import { listStoredNotifications, loadNotification, lockNotification, type StoredNotification } from './stored.ts'

const ROUTE_TAGS = ['notifications']
const NOTIFICATIONS_PATH = '/notifications'

/** Notifications as a resource, their copies and activation. */
export function notificationRoutes(app: HttpApp, context: ServiceContext): void {
  const { clock } = context
  registerResource<number, NotificationBody, NotificationResponse, StoredNotification, CheckedNotificationChange>(
    app,
    context.db,
    {
      path: NOTIFICATIONS_PATH,
      tag: 'notifications',
      name: pushChannelTraits.title,
      readId: parseInt32Id,
      schema: { shown: NotificationResponse, body: NotificationBody },
      operations: {
        create: {
          summary: 'Create a notification',
          description:
            'Creates an inactive notification and returns it; `type` and `name` are required. Nothing is sent until it ' +
            'is activated.',
          refusals: notificationRefusals,
        },
        read: {
          summary: 'Get a notification',
          description: 'Returns a notification with its task and its versions.',
          refusals: { 410: 'gone' },
        },
        update: {
          summary: 'Update a notification',
          description:
            'Changes the members given and returns the notification; `versions` replaces all versions. An active ' +
            'notification stays active: a change that its activation would refuse is refused with 409. Accepted ' +
            'messages keep the versions that they were accepted with.',
          refusals: notificationChangeRefusals,
        },
        remove: {
          summary: 'Delete a notification',
          description:
            'Deletes a notification, stops its scheduler and cancels its waiting messages. Its events remain.',
          refusals: notificationChangeRefusals,
        },
      },
      create: async (db, account, body) =>
        toNotificationResponse(await createNotification({ ...context, db }, account, body)),
      read: async (db, account, id) => toNotificationResponse(await loadNotification(db, { account, id })),
      async prepare(db, { stored, ...key }, body) {
        const before = stored ?? (await loadNotification(db, key))
        return checkNotificationChange({ ...context, db }, before, body)
      },
      update: (tx, { stored }, body, checkedChange) =>
        updateNotification({ ...context, db: tx }, stored, body, checkedChange),
      remove: (tx, notification) => deleteNotification(tx, notification, new Date(clock.now())),
      lock: (tx, account, id) => lockNotification(tx, { account, id }),
      show: (notification) => toNotificationResponse(notification),
      live: {
        what: 'an active notification',
        asksApproval: true,
        isLive: (_tx, { stored }) => stored.active,
      },
    },
  )
  registerListRoute(app, context)
  registerStateRoutes(app, context)
}

/** The context of a change to the notification in a request, which records the notification before and after. */
function createAuditedChange(
  context: ServiceContext,
  request: FastifyRequest<{ Params: { id: string } }>,
  conditionSchema?: AuditSnapshotOptions['conditionSchema'],
): ServiceContext {
  const key = parseNotificationKey(request)
  const auditSnapshot = createAuditSnapshot(
    async (tx) => toNotificationResponse(await loadNotification(tx, key)),
    (tx) => lockNotification(tx, key),
  )
  return { ...context, db: createAuditedDb(request, context.db, { ...auditSnapshot, conditionSchema }) }
}

async function* listWithReports(
  db: Db,
  account: AccountId,
  filter: NotificationListFilter,
  page: ListPageRequest<ListSortKey>,
) {
  for (const { key, ...row } of await listStoredNotifications(db, account, filter, page)) {
    const reportSubject = { id: row.id, sending: null, startedAt: null }
    yield { item: toNotificationResponse(row), key, reported: reportSubject }
  }
}

function registerListRoute(app: HttpApp, { db }: ServiceContext): void {
  app.get(NOTIFICATIONS_PATH, {
    config: { right: 'read' },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'List the notifications',
      description:
        'Returns the notifications that match the filters, by default all in ascending order of ID; ' +
        'deleted ones are left out. With `report=true`, each has a short report.',
      querystring: Type.Object({ ...ListPageQuery.properties, ...notificationListParameters }),
      response: { 200: declareStreamedAnswer(Type.Array(ListedNotification)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const filter = parseNotificationListFilter(query)
      const reportScope = { account, channels: [pushChannelTraits.name], isAsked: query.report === true }
      return sendList(request, reply, {
        rows: (page: ListPageRequest<ListSortKey>) =>
          attachActionReports(db, reportScope, listWithReports(db, account, filter, page)),
        key: ({ key }) => key,
        readKey: createNotificationKeyReader(filter),
        show: ({ item }) => item,
      })
    },
  })
}

/** Copies, and the switch. */
function registerStateRoutes(app: HttpApp, context: ServiceContext): void {
  app.post(`${NOTIFICATIONS_PATH}/:id/duplication`, {
    config: { right: 'write', audit: { object: pushChannelTraits.sourceKind } },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Duplicate a notification',
      refusals: notificationChangeRefusals,
      description:
        'Creates an inactive copy of the notification, its task and its versions, with new IDs, and ' +
        'returns it. A number is added to the name.',
      params: NotificationParams,
      response: { 200: NotificationResponse },
    },
    handler: async (request) => {
      const copySnapshot = createCopySnapshot(request, (copy) => toNotificationResponse(copy as StoredNotification))
      const auditedDb = createAuditedDb(request, context.db, copySnapshot)
      return toNotificationResponse(
        await duplicateNotification({ ...context, db: auditedDb }, parseNotificationKey(request)),
      )
    },
  })
  app.post(`${NOTIFICATIONS_PATH}/:id/activation`, {
    config: { right: 'send', audit: { object: pushChannelTraits.sourceKind } },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Activate a notification',
      refusals: { ...notificationChangeRefusals, 412: 'precondition-failed' },
      description:
        'Allows the notification to be sent and starts its scheduler. The answer is 409 with all faults in ' +
        '`errors` if the application, a version or the scheduler is not ready. Users whose sends need ' +
        'approval are answered with 403.',
      params: NotificationParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      requireDirectSendRight(request, 'The activation of a notification')
      await activateNotification(
        createAuditedChange(context, request, NotificationResponse),
        parseNotificationKey(request),
      )
      return reply.code(204).send(null)
    },
  })
  app.delete(`${NOTIFICATIONS_PATH}/:id/activation`, {
    config: { right: 'send', audit: { object: pushChannelTraits.sourceKind } },
    schema: {
      tags: ROUTE_TAGS,
      summary: 'Deactivate a notification',
      refusals: notificationChangeRefusals,
      description:
        'Stops the scheduler and cancels the waiting messages of the notification. The answer is 409 if it ' +
        'is not active.',
      params: NotificationParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await deactivateNotification(createAuditedChange(context, request), parseNotificationKey(request))
      return reply.code(204).send(null)
    },
  })
}
