import { type Static, Type } from 'typebox'
import { MillisecondsSetting, readGatewaySettings, tlsSettings } from '../settings.ts'
import { readSmtpSettings, type SmtpSettings } from '../smtp/settings.ts'

/**
 * Settings for sending mail to the recipients' servers. Limits are not set here but in the table of destinations. Time-outs are shorter
 * than those of a relay: there are many servers, and mail moves on to the next one or is retried.
 */
export const SmtpDirectSettings = Type.Object(
  {
    name: Type.Optional(
      Type.String({ pattern: '^[0-9A-Za-z.-]{1,255}$', description: 'Host name in the EHLO command.' }),
    ),
    tls: Type.Enum(['opportunistic', 'required', 'none'], {
      default: 'opportunistic',
      description:
        'TLS of connections. `opportunistic`: STARTTLS if offered; the certificate is not verified. ' +
        '`required`: STARTTLS is required. Default: `opportunistic`.',
    }),
    verify: Type.Boolean({
      default: false,
      description: 'Verify the certificate of the server if `tls` is `required`. Default: false.',
    }),
    ca: tlsSettings.ca,
    mtaSts: Type.Boolean({
      default: true,
      description: 'Apply the MTA-STS policies of domains (RFC 8461). Default: true.',
    }),
    chunking: Type.Boolean({ default: true, description: 'Use BDAT (RFC 3030) if offered. Default: true.' }),
    connections: Type.Integer({
      minimum: 1,
      maximum: 5000,
      default: 500,
      description: 'Maximum connections of one sender to all destinations. Default: 500.',
    }),
    port: Type.Integer({ minimum: 1, maximum: 65535, default: 25, description: 'Port of the servers. Default: 25.' }),
    allowPrivate: Type.Boolean({
      default: false,
      description: 'Allow connections to addresses that are not public; for tests. Default: false.',
    }),
    patienceMs: MillisecondsSetting(
      5000,
      'Milliseconds for which a message waits for a connection before it is returned; default 5000.',
    ),
    idleMs: MillisecondsSetting(2000, 'Milliseconds for which an idle connection is kept open; default 2000.'),
    connectMs: MillisecondsSetting(
      30_000,
      'Milliseconds for each of the connection and the TLS handshake; default 30000.',
    ),
    greetingMs: MillisecondsSetting(60_000, 'Milliseconds for the greeting of the server; default 60000.'),
    commandMs: MillisecondsSetting(120_000, 'Milliseconds for the response to a command; default 120000.'),
    dataMs: MillisecondsSetting(120_000, 'Milliseconds for the response to DATA; default 120000.'),
    finalMs: MillisecondsSetting(
      600_000,
      'Milliseconds for the transfer of the message and its response; default 600000.',
    ),
  },
  { additionalProperties: false },
)
export type SmtpDirectSettings = Static<typeof SmtpDirectSettings>

/** Settings as they are stored, with what is absent filled in. Throws invalid with a pointer per fault. */
export function readSmtpDirectSettings(storedSettings: unknown): SmtpDirectSettings {
  return readGatewaySettings(SmtpDirectSettings, storedSettings)
}

/** The SMTP settings for one host. `isVerified`: as an enforced policy asks (RFC 8461, 4.2). */
export function buildHostSmtpSettings(
  host: string,
  { messages, isVerified }: { messages: number; isVerified: boolean },
  settings: SmtpDirectSettings,
): SmtpSettings {
  const { mtaSts: _, connections: __, allowPrivate: ___, patienceMs: ____, ...relaySettings } = settings
  return readSmtpSettings({ ...relaySettings, host, messages, ...(isVerified && { tls: 'required', verify: true }) })
}
