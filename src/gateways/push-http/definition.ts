import type { GatewayDefinition } from '../definition.ts'
import { PushHttpSecrets, PushHttpSettings, readPushHttp } from './settings.ts'

/** A receiver of pushes over HTTP. */
export const pushHttp: GatewayDefinition = {
  kind: 'push-http',
  channels: ['notification'],
  settings: PushHttpSettings,
  secrets: PushHttpSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'push-http',
    channel: 'notification',
    name,
    ...readPushHttp(settings, secrets),
  }),
  remotes: ({ settings, secrets }) => [{ pointer: '/url', url: readPushHttp(settings, secrets).settings.url }],
  needsAddress: true,
  isIdempotent: false,
}
