import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { checkPrecondition } from '../../http/middleware/conditional.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import {
  lockPeopleSettings,
  PeopleSettings,
  PeopleSettingsBody,
  readPeopleSettings,
  updatePeopleSettings,
} from './people-settings.ts'

/** What an account asks of the people who work in it. */
export function peopleSettingsRoutes(app: App, { db }: Context): void {
  const tags = ['settings']
  const config = { right: 'admin', etag: true } as const
  const toldSettings = (request: FastifyRequest) => {
    const { account } = request
    const look = lookOf(
      (tx) => readPeopleSettings(tx, account),
      (tx) => lockPeopleSettings(tx, account),
    )
    return told(request, db, look)
  }
  app.get('/settings/people', {
    config,
    schema: { tags, summary: 'read what the account asks of people', response: { 200: PeopleSettings } },
    handler: ({ account }) => readPeopleSettings(db, account),
  })
  app.put('/settings/people', {
    config: { ...config, audit: { object: 'people-settings' } },
    schema: {
      tags,
      summary: 'change what the account asks of people',
      description:
        'Approvals ask for two people who may send: else 409. That they are switched off is told to the other admins.',
      body: PeopleSettingsBody,
      response: { 200: PeopleSettings },
    },
    handler: (request, reply) =>
      inTransaction(toldSettings(request), async (tx) => {
        const { account, body, person } = request
        await lockPeopleSettings(tx, account)
        await checkPrecondition(request, reply, PeopleSettings, () => readPeopleSettings(tx, account))
        return updatePeopleSettings(tx, account, { ...body, by: person?.id ?? null })
      }),
  })
}
