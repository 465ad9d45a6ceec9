import type { GatewayDefinition } from '../definition.ts'
import { namedAddresses } from '../settings.ts'
import { PushFcmSecrets, PushFcmSettings, readPushFcm } from './settings.ts'

/** A project of Firebase Cloud Messaging. */
export const pushFcm: GatewayDefinition = {
  kind: 'push-fcm',
  channels: ['notification'],
  settings: PushFcmSettings,
  secrets: PushFcmSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'push-fcm',
    channel: 'notification',
    name,
    ...readPushFcm(settings, secrets),
  }),
  remotes({ settings, secrets }) {
    const { baseUrl, tokenUrl } = readPushFcm(settings, secrets).settings
    return namedAddresses({ baseUrl, tokenUrl })
  },
  needsAddress: true,
  isIdempotent: false,
}
