import type { GatewayDefinition } from '../definition.ts'
import { namedAddresses } from '../settings.ts'
import { PushWebSecrets, PushWebSettings, readPushWeb } from './settings.ts'

/** The push services of browsers. */
export const pushWeb: GatewayDefinition = {
  kind: 'push-web',
  channels: ['notification'],
  settings: PushWebSettings,
  secrets: PushWebSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'push-web',
    channel: 'notification',
    name,
    ...readPushWeb(settings, secrets),
  }),
  remotes({ settings, secrets }) {
    const { baseUrl } = readPushWeb(settings, secrets).settings
    return namedAddresses({ baseUrl })
  },
  needsAddress: true,
  isIdempotent: false,
}
