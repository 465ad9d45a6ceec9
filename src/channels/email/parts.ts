import { joinTextPieces, type TextPiece } from '../../features/rendering/templates/pieces.ts'

const NO_PIECES: readonly TextPiece[] = []

/** The rendered parts of a mail; those that it does not have are empty. */
export function toMailParts({ subject = '', html = '', text = '', amp = '' }: Readonly<Record<string, string>>) {
  return { subject, html, text, amp }
}

/** The same in pieces. */
export function toMailPartPieces({
  subject = NO_PIECES,
  html = NO_PIECES,
  text = NO_PIECES,
  amp = NO_PIECES,
}: Readonly<Record<string, readonly TextPiece[]>>) {
  return { subject: joinTextPieces(subject), html, text, amp }
}
