import { Type } from 'typebox'
import type { Context } from '../../../context.ts'
import type { App } from '../../../http/app-type.ts'
import { type Page, PageQuery, sendList, sent } from '../../../http/resource/list.ts'
import { readUuid } from '../../../lib/ids.ts'
import { ContactParams, pathContact } from '../../contacts/records/contact-request.ts'
import { contactNamed } from '../../contacts/records/find.ts'
import { sentPushes } from '../../events/history/push-history.ts'
import { HistoryFilters, ReceivedNotification, readSelection, showReceived } from './history.ts'

const Query = Type.Object({ ...HistoryFilters, ...PageQuery.properties })

/** The notifications that a contact got. */
export function pushHistoryRoutes(app: App, { db }: Context): void {
  app.get('/targets/:id/notifications', {
    config: { right: 'read' },
    schema: {
      tags: ['targets'],
      summary: 'notifications that a contact got, with what became of them',
      description: 'One item for each device that one was handed over for; tests are left out.',
      params: ContactParams,
      querystring: Query,
      response: { 200: sent(Type.Array(ReceivedNotification)) },
    },
    handler: async (request, reply) => {
      const { account, params, query } = request
      const contact = pathContact(params)
      const selection = readSelection(account, contact, query)
      await contactNamed(db, account, params.id)
      return sendList(request, reply, {
        rows: (page: Page<string>) => sentPushes(db, { ...selection, ...page }),
        key: ({ id }) => id,
        show: (push) => showReceived(contact, push),
        readKey: (value) => {
          const id = typeof value === 'string' ? readUuid(value) : undefined
          // Its time is where the list goes on.
          return id?.[14] === '7' ? id : undefined
        },
      })
    },
  })
}
