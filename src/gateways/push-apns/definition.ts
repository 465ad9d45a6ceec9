import type { GatewayDefinition } from '../definition.ts'
import { namedAddresses } from '../settings.ts'
import { PushApnsSecrets, PushApnsSettings, readPushApns } from './settings.ts'

/** An app on the push service of Apple. */
export const pushApns: GatewayDefinition = {
  kind: 'push-apns',
  channels: ['notification'],
  settings: PushApnsSettings,
  secrets: PushApnsSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'push-apns',
    channel: 'notification',
    name,
    ...readPushApns(settings, secrets),
  }),
  remotes({ settings, secrets }) {
    const { baseUrl } = readPushApns(settings, secrets).settings
    return namedAddresses({ baseUrl })
  },
  needsAddress: true,
  isIdempotent: true,
}
