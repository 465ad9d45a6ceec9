import type { GatewayDefinition } from '../definition.ts'
import { parseSmtpUrl, readSmtpSecrets, readSmtpSettings, SmtpSecrets, SmtpSettings } from './settings.ts'

/** A relay over SMTP. */
export const smtpDefinition: GatewayDefinition = {
  kind: 'smtp',
  channels: ['email'],
  settings: SmtpSettings,
  secrets: SmtpSecrets,
  read: ({ name, settings, secrets }) => ({
    kind: 'smtp',
    channel: 'email',
    name,
    settings: readSmtpSettings(settings),
    secrets: readSmtpSecrets(secrets),
  }),
  remotes({ settings }) {
    const { host, port } = readSmtpSettings(settings)
    return [{ pointer: '/host', host, port }]
  },
  needsAddress: true,
  parseUrl: parseSmtpUrl,
  isIdempotent: false,
}
