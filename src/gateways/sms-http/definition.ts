import type { GatewayCallback, GatewayDefinition, GatewayRow } from '../definition.ts'
import { isSmsCallbackSigned, parseSmsCallback } from './hook.ts'
import { readSmsHttpConfig, SmsHttpSecrets, SmsHttpSettings } from './settings.ts'
import { fillAllPlaceholders } from './template.ts'

function createCallback(row: GatewayRow): GatewayCallback | undefined {
  const { settings, secrets } = readSmsHttpConfig(row.settings, row.secrets)
  const { hookToken, hookSecret } = secrets
  if (hookToken === undefined) return undefined
  return {
    token: hookToken,
    isSigned: (request, signature) => hookSecret === undefined || isSmsCallbackSigned(hookSecret, request, signature),
    read: (request, now) => parseSmsCallback(request, settings, now),
  }
}

/** An SMS provider over HTTP. */
export const smsHttpDefinition: GatewayDefinition = {
  kind: 'sms-http',
  channels: ['sms'],
  settings: SmsHttpSettings,
  secrets: SmsHttpSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'sms-http',
    channel: 'sms',
    name,
    ...readSmsHttpConfig(settings, secrets),
  }),
  remotes: ({ settings, secrets }) => [
    // No placeholder is in the host: what stands in the others does not matter.
    { pointer: '/url', url: fillAllPlaceholders(readSmsHttpConfig(settings, secrets).settings.url) },
  ],
  needsAddress: true,
  hook: createCallback,
  isIdempotent: false,
}
