import { type Static, Type } from 'typebox'
import {
  MillisecondsSetting,
  parseGatewayAddress,
  readGatewaySecrets,
  readGatewaySettings,
  tlsSettings,
} from '../settings.ts'

const buildOctetSchema = (fallback: number, description?: string) =>
  Type.Integer({ minimum: 0, maximum: 255, default: fallback, ...(description && { description }) })

const buildTextSchema = (maxLength: number, description: string) =>
  Type.String({ maxLength, pattern: '^[\\x20-\\x7e]*$', default: '', description })

/** Connection and protocol settings of a message centre (SMPP 3.4). None of them is secret. */
export const SmppSettings = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255, description: 'Host name or address of the message centre.' }),
    port: Type.Integer({ minimum: 1, maximum: 65535, default: 2775, description: 'Port. Default: 2775.' }),
    tls: Type.Boolean({ default: false, description: 'Use TLS from the first byte. Default: false.' }),
    ...tlsSettings,
    bind: Type.Enum(['transceiver', 'pair'], {
      default: 'transceiver',
      description:
        '`transceiver`: binds for both directions. `pair`: transmitters for outgoing messages and one ' +
        'receiver for incoming ones. Default: `transceiver`.',
    }),
    connections: Type.Integer({
      minimum: 1,
      maximum: 50,
      default: 1,
      description: 'Number of sending binds of a sender thread. Default: 1.',
    }),
    window: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 10,
      description: 'Maximum unanswered submissions of a bind. Default: 10.',
    }),
    rate: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      default: 0,
      description: 'Maximum submissions per second. 0: no limit. Default: 0.',
    }),
    systemType: buildTextSchema(12, '`system_type` of the bind.'),
    addressRange: buildTextSchema(40, '`address_range` of the bind.'),
    serviceType: buildTextSchema(5, '`service_type` of each submission.'),
    long: Type.Enum(['udh8', 'udh16', 'sar', 'payload'], {
      default: 'udh8',
      description:
        'Form of long messages. `udh8` and `udh16`: header with a reference of 8 or 16 bits. `sar`: `sar_*` ' +
        'parameters. `payload`: whole in `message_payload`. Default: `udh8`.',
    }),
    alphabet: Type.Enum(['gsm7', 'latin1'], {
      default: 'gsm7',
      description:
        'Default alphabet of the message centre. `gsm7`: GSM 03.38, one septet in each byte. `latin1`: ISO ' +
        '8859-1. Default: `gsm7`.',
    }),
    dataCoding: buildOctetSchema(0, '`data_coding` of texts in the default alphabet. Default: 0.'),
    numberTon: buildOctetSchema(1, 'Type of number (TON) of senders that are international numbers. Default: 1.'),
    numberNpi: buildOctetSchema(1, 'Numbering plan (NPI) of senders that are international numbers. Default: 1.'),
    shortTon: buildOctetSchema(3, 'Type of number (TON) of senders with at most 8 digits. Default: 3.'),
    shortNpi: buildOctetSchema(0, 'Numbering plan (NPI) of senders with at most 8 digits. Default: 0.'),
    nameTon: buildOctetSchema(5, 'Type of number (TON) of senders with letters. Default: 5.'),
    nameNpi: buildOctetSchema(0, 'Numbering plan (NPI) of senders with letters. Default: 0.'),
    destinationTon: buildOctetSchema(1, 'Type of number (TON) of recipients. Default: 1.'),
    destinationNpi: buildOctetSchema(1, 'Numbering plan (NPI) of recipients. Default: 1.'),
    receipts: Type.Enum(['all', 'failures', 'none'], {
      default: 'all',
      description: 'Requested delivery receipts. Default: `all`.',
    }),
    receiptId: Type.Enum(['as-is', 'hex', 'dec'], {
      default: 'as-is',
      description:
        'Form of message IDs in receipts. `as-is`: as in responses. `hex`: hexadecimal where responses are ' +
        'decimal. `dec`: decimal where responses are hexadecimal. Default: `as-is`.',
    }),
    validity: Type.Enum(['relative', 'absolute', 'none'], {
      default: 'relative',
      description: 'Form of the end of validity, for messages that have one. Default: `relative`.',
    }),
    retryStatuses: Type.Array(Type.Integer({ minimum: 1, maximum: 0xffffffff }), {
      default: [],
      description: 'Values of `command_status` after which a message is retried, in addition to those of the standard.',
    }),
    connectMs: MillisecondsSetting(
      30_000,
      'Milliseconds for each of the connection, the TLS handshake and the response to the bind; default 30000.',
    ),
    answerMs: MillisecondsSetting(60_000, 'Milliseconds for the response to a submission; default 60000.'),
    enquireMs: MillisecondsSetting(
      30_000,
      'Milliseconds without data from the message centre after which `enquire_link` is sent; default 30000.',
    ),
    enquireAnswerMs: MillisecondsSetting(
      10_000,
      'Milliseconds for the response to `enquire_link`, after which the connection is closed; default 10000.',
    ),
    idleMs: MillisecondsSetting(30_000, 'Milliseconds for which an idle sending bind is kept open; default 30000.'),
    reconnectMs: MillisecondsSetting(
      1000,
      'Milliseconds before the first reconnection; doubled after each failure, up to 60 seconds. Default 1000.',
    ),
    patienceMs: MillisecondsSetting(
      60_000,
      'Milliseconds for which a message is retried while the message centre throttles or is unavailable ' +
        'between two of its parts; default 60000.',
    ),
  },
  { additionalProperties: false },
)
export type SmppSettings = Static<typeof SmppSettings>

/** Kept sealed, apart from the settings. The protocol takes no longer ones (4.1.1). */
export const SmppSecrets = Type.Object(
  {
    systemId: Type.String({ minLength: 1, maxLength: 15, pattern: '^[\\x21-\\x7e]+$' }),
    password: Type.String({ maxLength: 8, pattern: '^[\\x20-\\x7e]*$' }),
  },
  { additionalProperties: false },
)
export type SmppSecrets = Static<typeof SmppSecrets>

/** Settings as they are stored, with what is absent filled in. Throws invalid with a pointer per fault. */
export function readSmppSettings(storedSettings: unknown): SmppSettings {
  return readGatewaySettings(SmppSettings, storedSettings)
}

/** Secrets as they were unsealed; undefined for a message centre without authentication. Throws invalid. */
export function readSmppSecrets(storedSecrets: unknown): SmppSecrets | undefined {
  return readGatewaySecrets(SmppSecrets, storedSecrets)
}

/**
 * Reads `smpp://systemId:password@host:2775?window=50&long=sar`, or `smpps://` for TLS (port 3550); every setting may
 * stand in the query. Throws badRequestProblem or invalid, without ever repeating the password.
 */
export function parseSmppUrl(text: string): { settings: SmppSettings; secrets: SmppSecrets | undefined } {
  const { settings, credentials } = parseGatewayAddress(text, {
    schema: SmppSettings,
    schemes: { 'smpp:': {}, 'smpps:': { port: 3550, tls: true } },
    example: 'smpp://systemId:password@host:2775?window=50, or smpps://systemId:password@host',
  })
  const { username, password } = credentials ?? {}
  return {
    settings: readSmppSettings(settings),
    secrets: readSmppSecrets(username === undefined ? undefined : { systemId: username, password }),
  }
}
