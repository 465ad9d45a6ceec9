import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { checkPrecondition } from '../../http/middleware/conditional.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import type { AccountId } from '../../lib/account.ts'
import {
  lockSendingSettings,
  readSendingSettings,
  showSendingSettings,
  updateSendingSettings,
} from './sending-settings.ts'
import { SendingSettings, SendingSettingsBody } from './sending-settings-schemas.ts'

/** What an account says of its sends. */
export function sendingSettingsRoutes(app: App, { db, config }: Context): void {
  const show = async (tx: Db, account: AccountId) =>
    showSendingSettings(await readSendingSettings(tx, account), config.publicUrl)
  app.get('/settings/sending', {
    config: { right: 'read', etag: true },
    schema: {
      tags: ['settings'],
      summary: 'read what the account says of its sends',
      response: { 200: SendingSettings },
    },
    handler: ({ account }) => show(db, account),
  })
  app.put('/settings/sending', {
    config: { right: 'admin', etag: true, audit: { object: 'sending-settings' } },
    schema: {
      tags: ['settings'],
      summary: 'change what the account says of its sends',
      body: SendingSettingsBody,
      response: { 200: SendingSettings },
    },
    handler: (request, reply) =>
      inTransaction(
        told(
          request,
          db,
          lookOf(
            (tx) => show(tx, request.account),
            (tx) => lockSendingSettings(tx, request.account),
          ),
        ),
        async (tx) => {
          const { account, body } = request
          await lockSendingSettings(tx, account)
          await checkPrecondition(request, reply, SendingSettings, () => show(tx, account))
          return updateSendingSettings(tx, account, body, config.publicUrl)
        },
      ),
  })
}
