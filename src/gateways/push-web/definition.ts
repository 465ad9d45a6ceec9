import type { GatewayDefinition } from '../definition.ts'
import { listSettingAddresses } from '../settings.ts'
import { PushWebSecrets, PushWebSettings, readPushWebConfig } from './settings.ts'

/** The push services of browsers. */
export const pushWebDefinition: GatewayDefinition = {
  kind: 'push-web',
  channels: ['notification'],
  settings: PushWebSettings,
  secrets: PushWebSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'push-web',
    channel: 'notification',
    name,
    ...readPushWebConfig(settings, secrets),
  }),
  remotes({ settings, secrets }) {
    const { baseUrl } = readPushWebConfig(settings, secrets).settings
    return listSettingAddresses({ baseUrl })
  },
  needsAddress: true,
  isIdempotent: false,
}
