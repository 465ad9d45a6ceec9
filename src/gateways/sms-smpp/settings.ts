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
    host: Type.String({ minLength: 1, maxLength: 255 }),
    port: Type.Integer({ minimum: 1, maximum: 65535, default: 2775 }),
    tls: Type.Boolean({ default: false, description: 'TLS from the first octet.' }),
    ...tlsSettings,
    bind: Type.Enum(['transceiver', 'pair'], {
      default: 'transceiver',
      description: 'pair: transmitters for what leaves, one receiver for what comes.',
    }),
    connections: Type.Integer({
      minimum: 1,
      maximum: 50,
      default: 1,
      description: 'Binds that send, a sender thread.',
    }),
    window: Type.Integer({ minimum: 1, maximum: 1000, default: 10, description: 'Unanswered submissions a bind.' }),
    rate: Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: 'Submissions a second; 0: no limit.' }),
    systemType: buildTextSchema(12, 'Of the bind.'),
    addressRange: buildTextSchema(40, 'Of the bind.'),
    serviceType: buildTextSchema(5, 'Of every submission.'),
    long: Type.Enum(['udh8', 'udh16', 'sar', 'payload'], {
      default: 'udh8',
      description:
        'Long messages: header with a reference of 8 or 16 bits, sar_* parameters, or whole in message_payload.',
    }),
    alphabet: Type.Enum(['gsm7', 'latin1'], {
      default: 'gsm7',
      description:
        'What the message centre takes its default alphabet for: GSM 03.38, one septet an octet, or ISO 8859-1.',
    }),
    dataCoding: buildOctetSchema(0, 'data_coding of texts in the default alphabet.'),
    numberTon: buildOctetSchema(1, 'Of senders that are international numbers.'),
    numberNpi: buildOctetSchema(1),
    shortTon: buildOctetSchema(3, 'Of senders of up to 8 digits.'),
    shortNpi: buildOctetSchema(0),
    nameTon: buildOctetSchema(5, 'Of senders with letters.'),
    nameNpi: buildOctetSchema(0),
    destinationTon: buildOctetSchema(1),
    destinationNpi: buildOctetSchema(1),
    receipts: Type.Enum(['all', 'failures', 'none'], { default: 'all', description: 'Delivery receipts asked for.' }),
    receiptId: Type.Enum(['as-is', 'hex', 'dec'], {
      default: 'as-is',
      description: 'How receipts write ids: as answers do; hex where answers are decimal; dec where answers are hex.',
    }),
    validity: Type.Enum(['relative', 'absolute', 'none'], {
      default: 'relative',
      description: 'How the end of a message that has one is said.',
    }),
    retryStatuses: Type.Array(Type.Integer({ minimum: 1, maximum: 0xffffffff }), {
      default: [],
      description: 'Values of command_status after which a message is tried again, beside those of the standard.',
    }),
    connectMs: MillisecondsSetting(30_000, 'For the connection, the TLS handshake and the answer to the bind, each.'),
    answerMs: MillisecondsSetting(60_000, 'For the answer to a submission.'),
    enquireMs: MillisecondsSetting(30_000, 'After so long without data from the message centre, enquire_link is sent.'),
    enquireAnswerMs: MillisecondsSetting(10_000, 'For the answer to that, else the connection is cut.'),
    idleMs: MillisecondsSetting(30_000, 'How long a bind that only sends is kept without work.'),
    reconnectMs: MillisecondsSetting(
      1000,
      'Before the next connection after a failed one; doubled each time, up to 60 s.',
    ),
    patienceMs: MillisecondsSetting(
      60_000,
      'How long one message is tried while the message centre throttles, or is away between two of its parts.',
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
