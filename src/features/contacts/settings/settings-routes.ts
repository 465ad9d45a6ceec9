import type { ServiceContext } from '../../../context.ts'
import { inTransaction } from '../../../database/connection/connect.ts'
import type { HttpApp } from '../../../http/app-type.ts'
import { requirePrecondition } from '../../../http/middleware/conditional.ts'
import { createAuditedDb, createAuditSnapshot } from '../../../http/resource/audit-requests.ts'
import { ContactSettings } from '../fields/contact-settings-schemas.ts'
import { lockContactSettings, readContactSettings, updateContactSettings } from './settings.ts'
import { ContactSettingsBody } from './settings-schemas.ts'

const tags = ['settings']

/** Routes of the settings for parsing the contact values of an account, and for the retention periods of contact data. */
export function contactSettingsRoutes(app: HttpApp, { db }: ServiceContext): void {
  app.get('/settings/contacts', {
    config: { right: 'read', etag: true },
    schema: {
      tags,
      summary: 'Get the contact settings',
      description:
        'Returns the settings for reading contact values, counting soft bounces and retaining imported ' +
        'files. Settings that were never changed have their defaults.',
      operationId: 'getContactSettings',
      response: { 200: ContactSettings },
    },
    handler: ({ account }) => readContactSettings(db, account),
  })
  app.put('/settings/contacts', {
    config: { right: 'admin', etag: true, audit: { object: 'contact-settings' } },
    schema: {
      tags,
      summary: 'Update the contact settings',
      description:
        'Changes the settings given and returns all of them; absent ones keep their value. Stored contact ' +
        'values do not change. An unknown country or time zone is refused with 400.',
      operationId: 'updateContactSettings',
      body: ContactSettingsBody,
      response: { 200: ContactSettings },
    },
    handler: (request) =>
      inTransaction(
        createAuditedDb(
          request,
          db,
          createAuditSnapshot(
            (tx) => readContactSettings(tx, request.account),
            (tx) => lockContactSettings(tx, request.account),
          ),
        ),
        async (tx) => {
          const { account, body } = request
          await lockContactSettings(tx, account)
          await requirePrecondition(request, ContactSettings, () => readContactSettings(tx, account))
          return updateContactSettings(tx, account, body)
        },
      ),
  })
}
