import type { Context } from '../../context.ts'
import type { App } from '../../http/app-type.ts'
import { ContactSettings } from '../fields/contact-settings.ts'
import { changeContactSettings, readContactSettings } from './settings.ts'
import { ContactSettingsBody } from './settings-schemas.ts'

const tags = ['settings']

/** How values of an account's contacts are read, and how long things about them are kept. */
export function contactSettingsRoutes(app: App, { db }: Context): void {
  app.get('/settings/contacts', {
    config: { right: 'read', etag: true },
    schema: { tags, summary: 'read the settings of contacts', response: { 200: ContactSettings } },
    handler: ({ account }) => readContactSettings(db, account),
  })
  app.put('/settings/contacts', {
    config: { right: 'admin', etag: true },
    schema: {
      tags,
      summary: 'change the settings of contacts',
      body: ContactSettingsBody,
      response: { 200: ContactSettings },
    },
    handler: ({ account, body }) => changeContactSettings(db, account, body),
  })
}
