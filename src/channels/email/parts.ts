import { type Piece, textOf } from '../../features/rendering/templates/pieces.ts'

const NONE: readonly Piece[] = []

/** The rendered parts of a mail; those that it does not have are empty. */
export function mailParts({ subject = '', html = '', text = '', amp = '' }: Readonly<Record<string, string>>) {
  return { subject, html, text, amp }
}

/** The same in pieces. */
export function mailPartsInPieces({
  subject = NONE,
  html = NONE,
  text = NONE,
  amp = NONE,
}: Readonly<Record<string, readonly Piece[]>>) {
  return { subject: textOf(subject), html, text, amp }
}
