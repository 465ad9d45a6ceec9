import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import type { App } from '../../../http/app-type.ts'
import { lookOf, told } from '../../../http/resource/audit.ts'
import { changeEventSettings, EventSettings, EventSettingsBody, readEventSettings } from './event-settings.ts'

const tags = ['settings']

/** What an account says of its events. */
export function eventSettingsRoutes(app: App, { db }: Context): void {
  app.get('/settings/events', {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read the settings of events', response: { 200: EventSettings } },
    handler: ({ account }) => readEventSettings(db, account),
  })
  app.put('/settings/events', {
    config: { right: 'admin', etag: true, audit: { object: 'event-settings' } },
    schema: {
      tags,
      summary: 'change the settings of events',
      body: EventSettingsBody,
      response: { 200: EventSettings },
    },
    handler: (request) => {
      const { account, body } = request
      const handle = told(
        request,
        db,
        lookOf((tx) => readEventSettings(tx, account)),
      )
      return inTransaction(handle, (tx) => changeEventSettings(tx, account, body))
    },
  })
}
