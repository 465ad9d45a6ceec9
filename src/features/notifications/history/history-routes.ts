import { Type } from 'typebox'
import type { ServiceContext } from '../../../context.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { declareStreamedAnswer, ListPageQuery, type ListPageRequest, sendList } from '../../../http/resource/list.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { ContactParams, parseContactPath } from '../../contacts/records/contact-request.ts'
import { resolveContactId } from '../../contacts/records/find.ts'
import { readSentPushes } from '../../events/history/push-history.ts'
import { PushHistoryFilters, parsePushSelection, ReceivedNotification, toReceivedNotification } from './history.ts'

const HistoryQuery = Type.Object({ ...PushHistoryFilters, ...ListPageQuery.properties })

/** The notifications that a contact got. */
export function pushHistoryRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/targets/:id/notifications', {
    config: { right: 'read' },
    schema: {
      tags: ['targets'],
      summary: 'List the notifications of a contact',
      description:
        'Returns one item for each device that a push message was sent to, the newest first by default, ' +
        'with the times of its events. Tests are left out. Items remain when the notification or the ' +
        'device is deleted.',
      params: ContactParams,
      querystring: HistoryQuery,
      response: { 200: declareStreamedAnswer(Type.Array(ReceivedNotification)) },
    },
    handler: async (request, reply) => {
      const { account, params, query } = request
      const contact = parseContactPath(params)
      const selection = parsePushSelection(account, contact, query)
      await resolveContactId(db, account, params.id)
      return sendList(request, reply, {
        rows: (page: ListPageRequest<string>) => readSentPushes(db, { ...selection, ...page }),
        key: ({ id }) => id,
        show: (push) => toReceivedNotification(contact, push),
        readKey: (value) => {
          const id = typeof value === 'string' ? parseUuid(value) : undefined
          // Its time is where the list goes on.
          return id?.[14] === '7' ? id : undefined
        },
      })
    },
  })
}
