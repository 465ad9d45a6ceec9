import type { GatewayDefinition } from '../definition.ts'
import { readSmtpDirectSettings, SmtpDirectSettings } from './settings.ts'

/** The servers of the recipients' domains, without a relay. */
export const smtpDirectDefinition: GatewayDefinition = {
  kind: 'smtp-direct',
  channels: ['email'],
  settings: SmtpDirectSettings,
  read: ({ name, settings }) => ({
    kind: 'smtp-direct',
    channel: 'email',
    name,
    settings: readSmtpDirectSettings(settings),
  }),
  needsAddress: false,
  isIdempotent: false,
}
