import type { GatewayDefinition } from '../definition.ts'
import { PushHttpSecrets, PushHttpSettings, readPushHttpConfig } from './settings.ts'

/** A receiver of pushes over HTTP. */
export const pushHttpDefinition: GatewayDefinition = {
  kind: 'push-http',
  channels: ['notification'],
  settings: PushHttpSettings,
  secrets: PushHttpSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'push-http',
    channel: 'notification',
    name,
    ...readPushHttpConfig(settings, secrets),
  }),
  remotes: ({ settings, secrets }) => [{ pointer: '/url', url: readPushHttpConfig(settings, secrets).settings.url }],
  needsAddress: true,
  isIdempotent: false,
}
