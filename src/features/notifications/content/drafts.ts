import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { resolveSmsSender } from '../../../channels/sms/sender.ts'
import type { ContentVersionSource, SenderIdentity } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { describeAccount } from '../../accounts/accounts.ts'
import { readSendingSettings } from '../../accounts/sending-settings.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { listFormIds } from '../../forms/forms.ts'
import { resolveMessagePressure } from '../../pressure/message-settings.ts'
import type { PushVersion } from '../notification-schemas.ts'
import type { StoredNotification } from '../stored.ts'

/** Account data that the versions of all its notifications use. */
export interface PushSourceContext extends Pick<ContentVersionSource, 'account' | 'fields' | 'forms'> {
  timeZone: string
  sender: SenderIdentity
}

/** Loads the data of versions that comes from outside the notification. */
export async function loadPushSourceContext(
  { db, config }: { db: Db; config: Pick<ServiceContext['config'], 'publicUrl'> },
  account: AccountId,
): Promise<PushSourceContext> {
  const { fields, settings } = await loadContactDefinitions(db, account)
  const { identity, name } = await describeAccount(db, account)
  const serviceSettings = { purpose: { type: 'service' as const } }
  const senderNames = { named: '', publicUrl: config.publicUrl }
  // Its links are where those of texts are.
  const { sender } = resolveSmsSender(serviceSettings, await readSendingSettings(db, account), senderNames)
  return {
    account: { agency: identity.agency, customer: identity.customer, name },
    fields: fields.map((field) => ({ id: field.id, name: field.name })),
    forms: await listFormIds(db, account),
    timeZone: settings.timeZone,
    sender,
  }
}

/** A version as messages are made from it. Without an application there is nothing to send to. */
export function buildPushSource(
  { timeZone, ...surroundings }: PushSourceContext,
  row: Pick<StoredNotification, 'id' | 'name' | 'purpose' | 'culture' | 'urgent' | 'application' | 'mp'>,
  { id, content, redirection, channel }: PushVersion,
): ContentVersionSource {
  const { purpose, culture, urgent, application, mp } = row
  return {
    channel: pushChannelTraits.name,
    action: { id: row.id, name: row.name, type: pushChannelTraits.name },
    settings: {
      purpose,
      pressure: resolveMessagePressure(mp, purpose),
      contentFormat: 3,
      field: 0,
      culture,
      timeZone,
      timeZoneField: null,
      consent: 0,
      priority: urgent,
      importance: false,
      environment: {},
      archive: false,
      analyser: {},
      honeypot: false,
      openConsentField: null,
    },
    content: { ...content, redirection, channel, versionId: id, application: application ?? '', urgent },
    test: null,
    ...surroundings,
  }
}
