import { type Static, Type } from 'typebox'
import { MillisecondsSetting, readGatewaySettings, tlsSettings } from '../settings.ts'
import { readSmtpSettings, type SmtpSettings } from '../smtp/settings.ts'

/**
 * Settings for sending mail to the recipients' servers. Limits are not set here but in the table of destinations. Time-outs are shorter
 * than those of a relay: there are many servers, and mail moves on to the next one or is retried.
 */
export const SmtpDirectSettings = Type.Object(
  {
    name: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z.-]{1,255}$', description: 'What EHLO says.' })),
    tls: Type.Enum(['opportunistic', 'required', 'none'], {
      default: 'opportunistic',
      description: 'opportunistic: STARTTLS when offered, certificate never checked. required: STARTTLS or nothing.',
    }),
    verify: Type.Boolean({ default: false, description: 'With tls required: check the certificate.' }),
    ca: tlsSettings.ca,
    mtaSts: Type.Boolean({ default: true, description: 'Apply the policies of domains (RFC 8461).' }),
    chunking: Type.Boolean({ default: true, description: 'Use BDAT (RFC 3030) when offered.' }),
    connections: Type.Integer({
      minimum: 1,
      maximum: 5000,
      default: 500,
      description: 'Of one sender, to all destinations.',
    }),
    port: Type.Integer({ minimum: 1, maximum: 65535, default: 25 }),
    allowPrivate: Type.Boolean({ default: false, description: 'Also to addresses that are not public: for tests.' }),
    patienceMs: MillisecondsSetting(5000, 'How long a message waits for a connection before it is returned.'),
    idleMs: MillisecondsSetting(2000, 'How long a connection without work is kept.'),
    connectMs: MillisecondsSetting(30_000, 'For the connection and for the TLS handshake.'),
    greetingMs: MillisecondsSetting(60_000, 'For the first reply.'),
    commandMs: MillisecondsSetting(120_000, 'For the reply to a command.'),
    dataMs: MillisecondsSetting(120_000, 'For the reply to DATA.'),
    finalMs: MillisecondsSetting(600_000, 'For the body, and the reply to it.'),
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
