import type { FastifyRequest } from 'fastify'
import type { ServiceContext } from '../../context.ts'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { requirePrecondition } from '../../http/middleware/conditional.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import {
  lockMemberSettings,
  MemberSettings,
  MemberSettingsBody,
  readMemberSettings,
  updateMemberSettings,
} from './people-settings.ts'

/** Routes for the settings that an account requires of its members. */
export function memberSettingsRoutes(app: HttpApp, { db }: ServiceContext): void {
  const tags = ['settings']
  const routeConfig = { right: 'admin', etag: true } as const
  const toldSettings = (request: FastifyRequest) => {
    const { account } = request
    const snapshot = createAuditSnapshot(
      (tx) => readMemberSettings(tx, account),
      (tx) => lockMemberSettings(tx, account),
    )
    return createAuditedDb(request, db, snapshot)
  }
  app.get('/settings/people', {
    config: routeConfig,
    schema: {
      tags,
      summary: 'Get the user settings',
      description: 'Returns the rules of the account for its users: approvals, second factor and masking.',
      operationId: 'getPeopleSettings',
      response: { 200: MemberSettings },
    },
    handler: ({ account }) => readMemberSettings(db, account),
  })
  app.put('/settings/people', {
    config: { ...routeConfig, audit: { object: 'people-settings' } },
    schema: {
      tags,
      summary: 'Update the user settings',
      operationId: 'updatePeopleSettings',
      refusals: { 409: 'too-few-senders' },
      description:
        'Changes the members that are present. Approvals require at least two users with the right `send`; ' +
        'otherwise the request is refused with 409. When approvals are switched off, the other admins are ' +
        'notified by email.',
      body: MemberSettingsBody,
      response: { 200: MemberSettings },
    },
    handler: (request) =>
      inTransaction(toldSettings(request), async (tx) => {
        const { account, body, person } = request
        await lockMemberSettings(tx, account)
        await requirePrecondition(request, MemberSettings, () => readMemberSettings(tx, account))
        return updateMemberSettings(tx, account, { ...body, by: person?.id ?? null })
      }),
  })
}
