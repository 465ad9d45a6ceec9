import { isAscii } from 'node:buffer'
import { toWireMailAddress } from '../../lib/text/mail-address.ts'
import type { OutgoingMail, RefusedDelivery, SendStage } from '../gateway.ts'
import type { SmtpFeatures } from './features.ts'

/** MAIL and RCPT of one message, each with its line end. */
export interface EnvelopeCommands {
  mail: string
  rcpt: string
}

/** Why this peer must not be given this message. */
export type SmtpEnvelopeRefusal = Required<Pick<RefusedDelivery, 'stage' | 'code' | 'enhanced' | 'reply'>>

function buildRefusal(stage: SendStage, code: number, enhanced: string, text: string): SmtpEnvelopeRefusal {
  return { stage, code, enhanced, reply: `${code} ${enhanced} ${text}` }
}

/** Octets of a message in one piece or several. */
export function countMailBytes(bytes: OutgoingMail['bytes']): number {
  return bytes instanceof Uint8Array ? bytes.length : bytes.reduce((sum, piece) => sum + piece.length, 0)
}

function isSevenBit(bytes: OutgoingMail['bytes']): boolean {
  return bytes instanceof Uint8Array ? isAscii(bytes) : bytes.every((piece) => isAscii(piece))
}

/**
 * The commands that give this message to a peer with these features, or a refusal made here: an address
 * that is invalid, one beyond ASCII without SMTPUTF8 (RFC 6531), a message over SIZE (RFC 1870) or of 8 bits without
 * 8BITMIME (RFC 6152).
 */
export function buildEnvelopeCommands(
  { envelope, bytes, isPlain, smtputf8 }: OutgoingMail,
  features: SmtpFeatures,
): EnvelopeCommands | SmtpEnvelopeRefusal {
  const from = envelope.from === '' ? '' : toWireMailAddress(envelope.from)
  if (from === undefined) return buildRefusal('mail', 553, '5.1.7', 'The address of the sender is not valid.')
  const to = toWireMailAddress(envelope.to)
  if (to === undefined) return buildRefusal('rcpt', 553, '5.1.3', 'The address is not valid.')

  const needsUtf8 = smtputf8 === true || !isAscii(Buffer.from(from + to))
  if (needsUtf8 && !features.smtputf8)
    return buildRefusal('rcpt', 553, '5.6.7', 'The address requires SMTPUTF8, which the server does not offer.')
  const mailBytes = countMailBytes(bytes)
  if (features.largest > 0 && mailBytes > features.largest)
    return buildRefusal(
      'mail',
      552,
      '5.3.4',
      `The message has ${mailBytes} bytes; the server accepts at most ${features.largest}.`,
    )
  const needsEightBit = !isPlain && !isSevenBit(bytes)
  if (needsEightBit && !features.eightBitMime)
    return buildRefusal('data', 554, '5.6.3', 'The message has 8-bit bytes, which the server does not accept.')

  const parameters = [
    features.size ? ` SIZE=${mailBytes}` : '',
    needsEightBit ? ' BODY=8BITMIME' : '',
    needsUtf8 ? ' SMTPUTF8' : '',
  ]
  return { mail: `MAIL FROM:<${from}>${parameters.join('')}\r\n`, rcpt: `RCPT TO:<${to}>\r\n` }
}
