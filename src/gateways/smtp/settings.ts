import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { nearest } from '../../lib/nearest.ts'
import { badRequest, type Fault, invalid } from '../../lib/problem.ts'

const Milliseconds = (fallback: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 3_600_000, default: fallback, description })

/** How a relay is reached. Nothing in it is secret. The time-outs are those of RFC 5321, 4.5.3.2. */
export const SmtpSettings = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255 }),
    port: Type.Integer({ minimum: 1, maximum: 65535, default: 25 }),
    tls: Type.Enum(['none', 'opportunistic', 'required', 'implicit'], {
      default: 'opportunistic',
      description: 'opportunistic: STARTTLS when offered, certificate not checked. required: STARTTLS or nothing.',
    }),
    verify: Type.Boolean({ default: true, description: 'Check the certificate, with tls required and implicit.' }),
    ca: Type.Optional(Type.String({ description: 'Certificates to trust instead of the usual ones, PEM.' })),
    plainAuth: Type.Boolean({ default: false, description: 'Show the password on a connection without TLS.' }),
    name: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z.:\\[\\]-]{1,255}$', description: 'What EHLO says.' })),
    connections: Type.Integer({ minimum: 1, maximum: 500, default: 8 }),
    messages: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1000, description: 'For one connection.' }),
    chunking: Type.Boolean({ default: true, description: 'Use BDAT (RFC 3030) when offered.' }),
    idleMs: Milliseconds(10_000, 'How long a connection without work is kept.'),
    connectMs: Milliseconds(30_000, 'For the connection and for the TLS handshake.'),
    greetingMs: Milliseconds(300_000, 'For the first reply.'),
    commandMs: Milliseconds(300_000, 'For the reply to a command.'),
    dataMs: Milliseconds(120_000, 'For the reply to DATA.'),
    finalMs: Milliseconds(600_000, 'For the body, and the reply to it.'),
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

function faults(schema: typeof SmtpSettings | typeof SmtpSecrets, value: unknown): Fault[] {
  return Value.Errors(schema, value).map(({ instancePath, message }) => ({ pointer: instancePath, detail: message }))
}

/** Settings as they are stored, with what is absent filled in. Throws invalid with a pointer per fault. */
export function readSmtpSettings(stored: unknown): SmtpSettings {
  const value = Value.Default(SmtpSettings, Value.Clone(stored))
  if (Value.Check(SmtpSettings, value)) return value
  throw invalid(faults(SmtpSettings, value))
}

/** Secrets as they were unsealed; undefined for a relay that asks for none. Throws invalid. */
export function readSmtpSecrets(stored: unknown): SmtpSecrets | undefined {
  if (stored === undefined || stored === null) return undefined
  if (Value.Check(SmtpSecrets, stored)) return stored
  throw invalid(faults(SmtpSecrets, stored))
}

const SCHEMES: Record<string, Partial<SmtpSettings> | undefined> = {
  'smtp:': { port: 25 },
  'smtps:': { port: 465, tls: 'implicit' },
}

/** A word of a query as the type its setting has; what fits none is left to the schema to refuse. */
function readWord(name: string, word: string): unknown {
  const { type } = SmtpSettings.properties[name as keyof SmtpSettings] as { type?: string }
  if (type === 'boolean') return { true: true, yes: true, '1': true, false: false, no: false, '0': false }[word] ?? word
  if (type === 'integer') return /^\d+$/.test(word) ? Number(word) : word
  return word
}

/**
 * Reads `smtp://account:password@host:587?tls=required&connections=8`, or `smtps://` for implicit TLS; every setting
 * may stand in the query. With credentials TLS is required unless `tls` says otherwise.
 * Throws badRequest `url`, without ever repeating the password.
 */
export function parseSmtpUrl(text: string): { settings: SmtpSettings; secrets: SmtpSecrets | undefined } {
  const url = URL.parse(text)
  const scheme = url ? SCHEMES[url.protocol] : undefined
  if (!url || !scheme || url.hostname === '')
    throw badRequest('url', 'must be like smtp://account:password@host:587?tls=required, or smtps://host')
  if (url.pathname !== '' && url.pathname !== '/') throw badRequest('url', 'must have no path after the host')

  const known = Object.keys(SmtpSettings.properties)
  const given: Record<string, unknown> = { ...scheme, host: url.hostname.replace(/^\[|\]$/g, '') }
  if (url.port !== '') given['port'] = Number(url.port)
  if (url.username !== '') given['tls'] ??= 'required'
  for (const [name, word] of url.searchParams) {
    if (!known.includes(name))
      throw badRequest(
        'url',
        `"${name}" is not a setting; did you mean ${nearest(name, known)}? Known: ${known.join(', ')}`,
      )
    given[name] = readWord(name, word)
  }
  const secrets =
    url.username === ''
      ? undefined
      : { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
  return { settings: readSmtpSettings(given), secrets }
}
