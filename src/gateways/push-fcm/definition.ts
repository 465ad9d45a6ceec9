import type { GatewayDefinition } from '../definition.ts'
import { listSettingAddresses } from '../settings.ts'
import { PushFcmSecrets, PushFcmSettings, readPushFcmConfig } from './settings.ts'

/** A project of Firebase Cloud Messaging. */
export const pushFcmDefinition: GatewayDefinition = {
  kind: 'push-fcm',
  channels: ['notification'],
  settings: PushFcmSettings,
  secrets: PushFcmSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'push-fcm',
    channel: 'notification',
    name,
    ...readPushFcmConfig(settings, secrets),
  }),
  remotes({ settings, secrets }) {
    const { baseUrl, tokenUrl } = readPushFcmConfig(settings, secrets).settings
    return listSettingAddresses({ baseUrl, tokenUrl })
  },
  needsAddress: true,
  isIdempotent: false,
}
