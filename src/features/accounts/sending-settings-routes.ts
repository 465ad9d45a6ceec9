import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { requirePrecondition } from '../../http/middleware/conditional.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import type { AccountId } from '../../lib/account.ts'
import {
  lockSendingSettings,
  readSendingSettings,
  toShownSendingSettings,
  updateSendingSettings,
} from './sending-settings.ts'
import { AccountSendingSettings, SendingSettingsBody } from './sending-settings-schemas.ts'

/** Routes for the sending settings of an account. */
export function sendingSettingsRoutes(app: HttpApp, { db, config }: ServiceContext): void {
  const loadShownSettings = async (tx: Db, account: AccountId) =>
    toShownSendingSettings(await readSendingSettings(tx, account), config.publicUrl)
  app.get('/settings/sending', {
    config: { right: 'read', etag: true },
    schema: {
      tags: ['settings'],
      summary: 'Get the sending settings',
      description:
        'Returns the settings with the defaults of those never changed. An email profile without its own ' +
        'domain shows the default domain.',
      operationId: 'getSendingSettings',
      response: { 200: AccountSendingSettings },
    },
    handler: ({ account }) => loadShownSettings(db, account),
  })
  app.put('/settings/sending', {
    config: { right: 'admin', etag: true, audit: { object: 'sending-settings' } },
    schema: {
      tags: ['settings'],
      summary: 'Update the sending settings',
      description:
        'Changes the members that are present; lists are replaced as a whole. An entry of a list without ' +
        '`id` is new and receives one. The request is refused when a channel has no default profile or more ' +
        'than one.',
      operationId: 'updateSendingSettings',
      body: SendingSettingsBody,
      response: { 200: AccountSendingSettings },
    },
    handler: (request) =>
      inTransaction(
        createAuditedDb(
          request,
          db,
          createAuditSnapshot(
            (tx) => loadShownSettings(tx, request.account),
            (tx) => lockSendingSettings(tx, request.account),
          ),
        ),
        async (tx) => {
          const { account, body } = request
          await lockSendingSettings(tx, account)
          await requirePrecondition(request, AccountSendingSettings, () => loadShownSettings(tx, account))
          return updateSendingSettings(tx, account, body, config.publicUrl)
        },
      ),
  })
}
