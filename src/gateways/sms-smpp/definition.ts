import type { GatewayDefinition } from '../definition.ts'
import { parseSmppUrl, readSmppSecrets, readSmppSettings, SmppSecrets, SmppSettings } from './settings.ts'

/** A message centre over SMPP 3.4. */
export const smsSmppDefinition: GatewayDefinition = {
  kind: 'sms-smpp',
  channels: ['sms'],
  settings: SmppSettings,
  secrets: SmppSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'sms-smpp',
    channel: 'sms',
    name,
    settings: readSmppSettings(settings),
    secrets: readSmppSecrets(secrets),
  }),
  remotes({ settings }) {
    const { host, port } = readSmppSettings(settings)
    return [{ pointer: '/host', host, port }]
  },
  needsAddress: true,
  parseUrl: parseSmppUrl,
  isIdempotent: false,
}
