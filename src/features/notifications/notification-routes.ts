import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notification } from '../../channels/push/facts.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { SortKey } from '../../database/rows/sorting.ts'
import type { App } from '../../http/app-type.ts'
import { copyLook, type Look, lookOf, told } from '../../http/resource/audit.ts'
import { type Page, PageQuery, sendList, sent } from '../../http/resource/list.ts'
import { requireApproved } from '../../http/resource/live-writes.ts'
import { registerResource } from '../../http/resource/resource.ts'
import type { AccountId } from '../../lib/account.ts'
import { readIntId } from '../../lib/ids.ts'
import { withShortReports } from '../actions/resource/listing.ts'
import { showNotification } from './document.ts'
import { duplicateNotification } from './duplication.ts'
import { keyOf, NotificationParams } from './keys.ts'
import { keyReader, type ListFilter, notificationListParameters, readListFilter } from './list-query.ts'
import { ListedNotification, Notification, NotificationBody } from './notification-schemas.ts'
import {
  activateNotification,
  createNotification,
  deactivateNotification,
  deleteNotification,
  updateNotification,
} from './notifications.ts'
import { loadNotification, loadNotifications, lockNotification, type StoredNotification } from './stored.ts'

const tags = ['notifications']
const PATH = '/notifications'

/** Notifications as a resource, their copies and activation. */
export function notificationRoutes(app: App, context: Context): void {
  const { clock } = context
  registerResource<number, NotificationBody, Notification>(app, context.db, {
    path: PATH,
    tag: 'notifications',
    name: notification.title,
    readId: readIntId,
    schema: { shown: Notification, body: NotificationBody },
    create: async (db, account, body) => showNotification(await createNotification({ ...context, db }, account, body)),
    read: async (db, account, id) => showNotification(await loadNotification(db, { account, id })),
    update: async (db, account, id, body) =>
      showNotification(await updateNotification({ ...context, db }, { account, id }, body)),
    remove: (db, account, id) => deleteNotification(db, { account, id }, new Date(clock.now())),
    lock: (db, account: AccountId, id) => lockNotification(db, { account, id }),
    live: {
      what: 'an active notification',
      asksApproval: true,
      isLive: async (db, account, id) => (await loadNotification(db, { account, id })).active,
    },
  })
  listRoute(app, context)
  stateRoutes(app, context)
}

/** What changes a notification that a request names, and tells how it stands before and after. */
function toldChange(
  context: Context,
  request: FastifyRequest<{ Params: { id: string } }>,
  shown?: Look['shown'],
): Context {
  const key = keyOf(request)
  const look = lookOf(
    async (tx) => showNotification(await loadNotification(tx, key)),
    (tx) => lockNotification(tx, key),
  )
  return { ...context, db: told(request, context.db, { ...look, shown }) }
}

async function* listed(db: Db, account: AccountId, filter: ListFilter, page: Page<SortKey>) {
  for (const { key, ...row } of await loadNotifications(db, account, filter, page)) {
    const reported = { id: row.id, sending: null, startedAt: null }
    yield { item: showNotification(row), key, reported }
  }
}

function listRoute(app: App, { db }: Context): void {
  app.get(PATH, {
    config: { right: 'read' },
    schema: {
      tags,
      summary: 'list notifications',
      querystring: Type.Object({ ...PageQuery.properties, ...notificationListParameters }),
      response: { 200: sent(Type.Array(ListedNotification)) },
    },
    handler: (request, reply) => {
      const { account, query } = request
      const filter = readListFilter(query)
      const of = { account, channels: [notification.name], isAsked: query.report === true }
      return sendList(request, reply, {
        rows: (page: Page<SortKey>) => withShortReports(db, of, listed(db, account, filter, page)),
        key: ({ key }) => key,
        readKey: keyReader(filter),
        show: ({ item }) => item,
      })
    },
  })
}

/** Copies, and the switch. */
function stateRoutes(app: App, context: Context): void {
  app.post(`${PATH}/:id/duplication`, {
    config: { right: 'write', audit: { object: notification.sourceKind } },
    schema: {
      tags,
      summary: 'copy a notification',
      description: 'The copy is inactive and has ids of its own.',
      params: NotificationParams,
      response: { 200: Notification },
    },
    handler: async (request) => {
      const look = copyLook(request, (copy) => showNotification(copy as StoredNotification))
      const handle = told(request, context.db, look)
      return showNotification(await duplicateNotification({ ...context, db: handle }, keyOf(request)))
    },
  })
  app.post(`${PATH}/:id/activation`, {
    config: { right: 'send', audit: { object: notification.sourceKind } },
    schema: {
      tags,
      summary: 'activate a notification',
      description: 'All that speaks against it is in "errors".',
      params: NotificationParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      requireApproved(request, 'The activation of a notification')
      const shown = { reply, schema: Notification }
      await activateNotification(toldChange(context, request, shown), keyOf(request))
      return reply.code(204).send(null)
    },
  })
  app.delete(`${PATH}/:id/activation`, {
    config: { right: 'send', audit: { object: notification.sourceKind } },
    schema: {
      tags,
      summary: 'deactivate a notification',
      description: 'Its schedule stops, and what waits is cancelled.',
      params: NotificationParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await deactivateNotification(toldChange(context, request), keyOf(request))
      return reply.code(204).send(null)
    },
  })
}
