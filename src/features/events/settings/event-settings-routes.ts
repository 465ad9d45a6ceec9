import type { ServiceContext } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { createAuditedDb, createAuditSnapshot } from '../../../http/resource/audit-requests.ts'
import { EventSettings, EventSettingsBody, readEventSettings, updateEventSettings } from './event-settings.ts'

const settingsTags = ['settings']

/** Routes of an account's event settings. */
export function eventSettingsRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/settings/events', {
    config: { right: 'read', etag: true },
    schema: {
      tags: settingsTags,
      summary: 'Get the event settings',
      description: 'Returns the settings with the defaults of those never changed.',
      operationId: 'getEventSettings',
      response: { 200: EventSettings },
    },
    handler: ({ account }) => readEventSettings(db, account),
  })
  app.put('/settings/events', {
    config: { right: 'admin', etag: true, audit: { object: 'event-settings' } },
    schema: {
      tags: settingsTags,
      summary: 'Update the event settings',
      description: 'Changes the members that are present. A shorter retention hides older events immediately.',
      operationId: 'updateEventSettings',
      body: EventSettingsBody,
      response: { 200: EventSettings },
    },
    handler: (request) => {
      const { account, body } = request
      const auditedDb = createAuditedDb(
        request,
        db,
        createAuditSnapshot((tx) => readEventSettings(tx, account)),
      )
      return inTransaction(auditedDb, (tx) => updateEventSettings(tx, account, body))
    },
  })
}
