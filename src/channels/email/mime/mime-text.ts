import { joinTextPieces, type StaticText, type TextPiece } from '../../../features/rendering/templates/pieces.ts'
import { relaxBodyPiece } from '../../../lib/crypto/dkim.ts'
import type { EncodedOctets, MimeBodyPiece } from './mime-body.ts'
import { encodeQuotedPrintable, QUOTED_LINE_LENGTH } from './mime-quoted.ts'

/** A static text as quoted-printable. */
export interface EncodedText extends EncodedOctets {
  /** A text that holds it cannot go out as 7bit. */
  isQuoted: boolean
}

/** Gives the encoding of a static text of one content, made when it is first met. */
export type StaticEncoder = (text: StaticText) => EncodedText

const CR = 0x0d

/** Sequences that require quoted-printable anywhere in a text. */
const REQUIRES_ENCODING = /[^\t\r\n\x20-\x7e]|=_|[ \t][\r\n]|[\r\n](?:\.|From )|[^\r\n]{77}/

/** An encoder that keeps what it made for as long as it is kept itself: one for each version of a content. */
export function createStaticEncoder(): StaticEncoder {
  const encodedTexts = new Map<StaticText, EncodedText>()

  function encode(piece: StaticText): EncodedText {
    const bytes = encodeQuotedPrintable(piece.text)
    const encoded = { bytes, relaxed: relaxBodyPiece(bytes), isQuoted: REQUIRES_ENCODING.test(piece.text) }
    encodedTexts.set(piece, encoded)
    return encoded
  }

  return (piece) => encodedTexts.get(piece) ?? encode(piece)
}

/** Returns true if the text can be sent as 7bit: ASCII, lines of at most 76 characters, no line end that needs an escape. */
function canSendSevenBit(text: string): boolean {
  if (/[^\t\r\n\x20-\x7e]|=_|[ \t](?:[\r\n]|$)|(?:^|[\r\n])(?:\.|From )/.test(text)) return false
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    if (
      end - start > QUOTED_LINE_LENGTH + 1 ||
      (end - start === QUOTED_LINE_LENGTH + 1 && text.charCodeAt(end - 1) !== CR)
    )
      return false
  }
  return true
}

/**
 * Encodes a text for the body of a part: 7bit if allowed, otherwise quoted-printable. Line ends are CRLF. Static pieces contribute only
 * their encoding, unless the text turns out to be 7bit. Two strings never follow each other.
 */
export function encodeMimeText(
  pieces: readonly TextPiece[],
  encode: StaticEncoder,
): { encoding: '7bit' | 'quoted-printable'; body: MimeBodyPiece } {
  let isQuoted = false
  const quotedPieces = pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    const encoded = encode(piece)
    isQuoted ||= encoded.isQuoted
    return encoded
  })
  const text = isQuoted ? '' : joinTextPieces(pieces)
  if (isQuoted || !canSendSevenBit(text)) return { encoding: 'quoted-printable', body: { quoted: quotedPieces } }
  return { encoding: '7bit', body: text.replace(/\r\n?|\n/g, '\r\n') }
}
