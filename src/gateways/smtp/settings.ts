import { type Static, Type } from 'typebox'
import {
  MillisecondsSetting,
  parseGatewayAddress,
  readGatewaySecrets,
  readGatewaySettings,
  tlsSettings,
} from '../settings.ts'

/** Connection settings for a relay. None of them is secret. The time-outs are those of RFC 5321, 4.5.3.2. */
export const SmtpSettings = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255, description: 'Host name or address of the relay.' }),
    port: Type.Integer({ minimum: 1, maximum: 65535, default: 25, description: 'Port. Default: 25.' }),
    tls: Type.Enum(['none', 'opportunistic', 'required', 'implicit'], {
      default: 'opportunistic',
      description:
        'TLS of connections. `opportunistic`: STARTTLS if offered; the certificate is not verified. ' +
        '`required`: STARTTLS is required. `implicit`: TLS from the first byte. Default: `opportunistic`.',
    }),
    ...tlsSettings,
    plainAuth: Type.Boolean({
      default: false,
      description: 'Allow passwords on connections without TLS. Default: false.',
    }),
    name: Type.Optional(
      Type.String({ pattern: '^[0-9A-Za-z.:\\[\\]-]{1,255}$', description: 'Host name in the EHLO command.' }),
    ),
    connections: Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 8,
      description: 'Maximum connections. Default: 8.',
    }),
    messages: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1000,
      description: 'Maximum messages of one connection. Default: 1000.',
    }),
    chunking: Type.Boolean({ default: true, description: 'Use BDAT (RFC 3030) if offered. Default: true.' }),
    idleMs: MillisecondsSetting(10_000, 'Milliseconds for which an idle connection is kept open; default 10000.'),
    connectMs: MillisecondsSetting(
      30_000,
      'Milliseconds for each of the connection and the TLS handshake; default 30000.',
    ),
    greetingMs: MillisecondsSetting(300_000, 'Milliseconds for the greeting of the server; default 300000.'),
    commandMs: MillisecondsSetting(300_000, 'Milliseconds for the response to a command; default 300000.'),
    dataMs: MillisecondsSetting(120_000, 'Milliseconds for the response to DATA; default 120000.'),
    finalMs: MillisecondsSetting(
      600_000,
      'Milliseconds for the transfer of the message and its response; default 600000.',
    ),
  },
  { additionalProperties: false },
)
export type SmtpSettings = Static<typeof SmtpSettings>

/** Kept sealed, apart from the settings. */
export const SmtpSecrets = Type.Object(
  { username: Type.String({ minLength: 1 }), password: Type.String() },
  { additionalProperties: false },
)
export type SmtpSecrets = Static<typeof SmtpSecrets>

/** Settings as they are stored, with what is absent filled in. Throws invalid with a pointer per fault. */
export function readSmtpSettings(storedSettings: unknown): SmtpSettings {
  return readGatewaySettings(SmtpSettings, storedSettings)
}

/** Secrets as they were unsealed; undefined for a relay without authentication. Throws invalid. */
export function readSmtpSecrets(storedSecrets: unknown): SmtpSecrets | undefined {
  return readGatewaySecrets(SmtpSecrets, storedSecrets)
}

/**
 * Reads `smtp://account:password@host:587?tls=required&connections=8`, or `smtps://` for implicit TLS; every setting
 * may stand in the query. With credentials TLS is required unless `tls` says otherwise.
 * Throws badRequestProblem `url`, without ever repeating the password.
 */
export function parseSmtpUrl(text: string): { settings: SmtpSettings; secrets: SmtpSecrets | undefined } {
  const { settings, credentials } = parseGatewayAddress(text, {
    schema: SmtpSettings,
    schemes: { 'smtp:': { port: 25 }, 'smtps:': { port: 465, tls: 'implicit' } },
    example: 'smtp://account:password@host:587?tls=required, or smtps://host',
  })
  if (credentials) settings['tls'] ??= 'required'
  return { settings: readSmtpSettings(settings), secrets: credentials }
}
