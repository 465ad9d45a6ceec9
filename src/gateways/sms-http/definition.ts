import type { GatewayDefinition, GatewayRow, Hook } from '../definition.ts'
import { isSigned, readHook } from './hook.ts'
import { readSmsHttp, SmsHttpSecrets, SmsHttpSettings } from './settings.ts'
import { fillAlike } from './template.ts'

function hook(row: GatewayRow): Hook | undefined {
  const { settings, secrets } = readSmsHttp(row.settings, row.secrets)
  const { hookToken, hookSecret } = secrets
  if (hookToken === undefined) return undefined
  return {
    token: hookToken,
    isSigned: (request, signature) => hookSecret === undefined || isSigned(hookSecret, request, signature),
    read: (request, now) => readHook(request, settings, now),
  }
}

/** An SMS provider over HTTP. */
export const smsHttp: GatewayDefinition = {
  kind: 'sms-http',
  channels: ['sms'],
  settings: SmsHttpSettings,
  secrets: SmsHttpSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'sms-http',
    channel: 'sms',
    name,
    ...readSmsHttp(settings, secrets),
  }),
  remotes: ({ settings, secrets }) => [
    // No placeholder is in the host: what stands in the others does not matter.
    { pointer: '/url', url: fillAlike(readSmsHttp(settings, secrets).settings.url) },
  ],
  needsAddress: true,
  hook,
  isIdempotent: false,
}
