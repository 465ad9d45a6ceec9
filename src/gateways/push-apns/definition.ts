import type { GatewayDefinition } from '../definition.ts'
import { listSettingAddresses } from '../settings.ts'
import { PushApnsSecrets, PushApnsSettings, readPushApnsConfig } from './settings.ts'

/** An app on the push service of Apple. */
export const pushApnsDefinition: GatewayDefinition = {
  kind: 'push-apns',
  channels: ['notification'],
  settings: PushApnsSettings,
  secrets: PushApnsSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'push-apns',
    channel: 'notification',
    name,
    ...readPushApnsConfig(settings, secrets),
  }),
  remotes({ settings, secrets }) {
    const { baseUrl } = readPushApnsConfig(settings, secrets).settings
    return listSettingAddresses({ baseUrl })
  },
  needsAddress: true,
  isIdempotent: true,
}
