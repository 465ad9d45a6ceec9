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

/** What makes a text quoted-printable wherever it stands. */
const NEVER_PLAIN = /[^\t\r\n\x20-\x7e]|=_|[ \t][\r\n]|[\r\n](?:\.|From )|[^\r\n]{77}/

/** An encoder that keeps what it made for as long as it is kept itself: one for each version of a content. */
export function createStaticEncoder(): StaticEncoder {
  const made = new Map<StaticText, EncodedText>()

  function encode(piece: StaticText): EncodedText {
    const bytes = encodeQuotedPrintable(piece.text)
    const encoded = { bytes, relaxed: relaxBodyPiece(bytes), isQuoted: NEVER_PLAIN.test(piece.text) }
    made.set(piece, encoded)
    return encoded
  }

  return (piece) => made.get(piece) ?? encode(piece)
}

/** Whether the text may go out as 7bit: ASCII, lines of at most 76, nothing at their ends that would need an escape. */
function fitsSevenBit(text: string): boolean {
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
 * A text for the body of a part: 7bit where it may be (`rendering.md` 9.2), else quoted-printable. Line ends are CRLF.
 * Of its static pieces only the encoding is used, unless the text may be 7bit after all. No two strings follow each other.
 */
export function encodeMimeText(
  pieces: readonly TextPiece[],
  encode: StaticEncoder,
): { encoding: '7bit' | 'quoted-printable'; body: MimeBodyPiece } {
  let isQuoted = false
  const quoted = pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    const encoded = encode(piece)
    isQuoted ||= encoded.isQuoted
    return encoded
  })
  const text = isQuoted ? '' : joinTextPieces(pieces)
  if (isQuoted || !fitsSevenBit(text)) return { encoding: 'quoted-printable', body: { quoted } }
  return { encoding: '7bit', body: text.replace(/\r\n?|\n/g, '\r\n') }
}
